//! In which order the rows of the table stand, and which of them.
//!
//! Sorts and filters what `views` made; counts nothing.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::stats::State;
use super::views::RowView;

/// What rows are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Input, talker, formatter, sub-key.
    #[default]
    Id,
    /// Good sentences, most first.
    Count,
    /// How often, most often first.
    Rate,
    /// How long ago, the longest first.
    Age,
    /// Damaged ones, most first.
    Bad,
    /// Bad, lost and slow ones first.
    State,
}

impl By {
    /// All of them, in the order in which a key walks through them.
    pub const ALL: [By; 6] = [By::Id, By::Count, By::Rate, By::Age, By::Bad, By::State];

    /// In a word, as it is typed.
    pub const fn word(self) -> &'static str {
        match self {
            By::Id => "id",
            By::Count => "count",
            By::Rate => "rate",
            By::Age => "age",
            By::Bad => "bad",
            By::State => "state",
        }
    }

    /// The next one.
    pub fn next(self) -> By {
        let at = By::ALL.iter().position(|by| *by == self).unwrap_or(0);
        By::ALL[(at + 1) % By::ALL.len()]
    }

    /// By its word.
    pub fn of(word: &str) -> Option<By> {
        By::ALL.into_iter().find(|by| by.word().eq_ignore_ascii_case(word.trim()))
    }
}

/// An order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Order {
    /// By what.
    pub by: By,
    /// The other way round.
    pub reversed: bool,
}

/// Whether every word of `only` stands in what names the row: `WI`, `MWV`, `WIMWV`, `R`, `lost`. Case does not matter.
pub fn passes(row: &RowView, only: &str) -> bool {
    let name = format!("{t}{f} {t} {f} {} {}", row.sub_key, row.state.word(), t = row.talker, f = row.formatter);
    let name = name.to_lowercase();
    only.split_whitespace().all(|word| name.contains(&word.to_lowercase()))
}

/// Sorts rows that stand by their names; what is equal stays so.
pub fn arrange(rows: &mut [RowView], order: Order) {
    let worst = |state: State| match state {
        State::Bad => 0,
        State::Lost => 1,
        State::Slow => 2,
        State::New => 3,
        State::Ok => 4,
    };
    match order.by {
        By::Id => {}
        By::Count => rows.sort_by_key(|r| Reverse(r.count)),
        By::Rate => rows.sort_by(|a, b| b.rate_hz.unwrap_or(-1.0).total_cmp(&a.rate_hz.unwrap_or(-1.0))),
        By::Age => rows.sort_by_key(|r| Reverse(r.age_ms)),
        By::Bad => rows.sort_by_key(|r| Reverse(r.bad)),
        By::State => rows.sort_by_key(|r| worst(r.state)),
    }
    if order.reversed {
        rows.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::Origin;

    fn row(formatter: &str, count: u64, rate: Option<f64>, age_ms: i64, bad: u64, state: State) -> RowView {
        RowView {
            origin: Origin::Source,
            talker: "WI".into(),
            formatter: formatter.into(),
            sub_key: "R".into(),
            count,
            rate_hz: rate,
            expected_hz: None,
            jitter_ms: None,
            age_ms,
            bad,
            state,
            last: String::new(),
            bytes_a_second: 0.0,
        }
    }

    #[test]
    fn each_order_begins_with_what_one_looks_for() {
        let table = || {
            vec![
                row("DPT", 10, Some(1.0), 300, 0, State::Ok),
                row("MTW", 90, None, 90_000, 0, State::Lost),
                row("MWV", 50, Some(10.0), 20, 4, State::Bad),
                row("VHW", 3, Some(0.5), 700, 1, State::New),
            ]
        };
        let names = |by, reversed| {
            let mut rows = table();
            arrange(&mut rows, Order { by, reversed });
            rows.iter().map(|r| r.formatter.clone()).collect::<Vec<_>>().join(" ")
        };
        for (by, order) in [
            (By::Id, "DPT MTW MWV VHW"),
            (By::Count, "MTW MWV DPT VHW"),
            (By::Rate, "MWV DPT VHW MTW"),
            (By::Age, "MTW VHW DPT MWV"),
            (By::Bad, "MWV VHW DPT MTW"),
            (By::State, "MWV MTW VHW DPT"),
        ] {
            assert_eq!(names(by, false), order, "{by:?}");
            let backwards: Vec<&str> = order.split(' ').rev().collect();
            assert_eq!(names(by, true), backwards.join(" "), "{by:?}");
            assert_eq!(By::of(&by.word().to_uppercase()), Some(by));
        }
        let mut by = By::Id;
        for _ in 0..By::ALL.len() {
            by = by.next();
        }
        assert_eq!(by, By::Id, "the key walks round");
    }

    #[test]
    fn words_choose_rows() {
        let wind = row("MWV", 1, None, 0, 0, State::Lost);
        for only in ["", "wi", "MWV", "wimwv", "lost", "WI R lost", "  mwv  "] {
            assert!(passes(&wind, only), "{only}");
        }
        for only in ["GP", "MWV ok", "mwvr"] {
            assert!(!passes(&wind, only), "{only}");
        }
    }
}
