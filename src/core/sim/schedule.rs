//! Which sentences are said, by whom and how often: the table's defaults, the preset, the profile.
//!
//! And when: every period keeps its slots, whatever the steps of the caller. Must not say anything itself.

use crate::core::nmea::table;
use crate::core::profile::Settings;
use crate::core::time::{MILLISECOND, Offset, SECOND};

/// A sentence that the simulation can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The id of profiles and filters: `MWV-R`.
    pub id: &'static str,
    /// Its name in words.
    pub title: &'static str,
    /// The usual talker.
    pub talker: &'static str,
    /// Period unless the profile says otherwise, milliseconds; `None`: off.
    pub period_ms: Option<u32>,
    /// Period when it is enabled without one, milliseconds.
    pub usual_ms: u32,
    /// What makes it.
    pub by: By,
}

/// What makes a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The row of the table of formatters with this number.
    Table(usize),
    /// The own transponder: dynamic reports as VDO.
    Vdo,
    /// Static reports as VDO.
    VdoStatic,
    /// Dynamic reports as a receiver nearby would hear them.
    Vdm,
    /// Static reports likewise.
    VdmStatic,
    /// The radar.
    Ttm,
    /// The n-th sentence of the user's own.
    Custom(usize),
    /// Nothing: time goes on while everything is switched off.
    Nobody,
}

/// What other rooms than the table say, and by default how often.
const OTHERS: [Row; 5] = [
    Row { id: "VDO", title: "Own ship by AIS", talker: "AI", period_ms: Some(1000), usual_ms: 1000, by: By::Vdo },
    Row {
        id: "VDO-STATIC",
        title: "Own ship by AIS, static data",
        talker: "AI",
        period_ms: Some(360_000),
        usual_ms: 360_000,
        by: By::VdoStatic,
    },
    Row { id: "VDM", title: "Ships by AIS", talker: "AI", period_ms: None, usual_ms: 1000, by: By::Vdm },
    Row {
        id: "VDM-STATIC",
        title: "Ships by AIS, static data",
        talker: "AI",
        period_ms: None,
        usual_ms: 360_000,
        by: By::VdmStatic,
    },
    Row { id: "TTM", title: "Targets of a radar", talker: "RA", period_ms: None, usual_ms: 2500, by: By::Ttm },
];

/// Every sentence that the simulation can say, in the order in which a round says them.
pub fn rows() -> impl Iterator<Item = Row> {
    let of_table = table::FORMATTERS.iter().enumerate().filter(|(_, f)| f.about.said).map(|(i, f)| Row {
        id: f.about.id,
        title: f.about.title,
        talker: f.about.talker,
        period_ms: f.about.period_ms,
        usual_ms: f.about.usual_ms,
        by: By::Table(i),
    });
    let is_other = |row: &Row| OTHERS.iter().any(|o| o.id == row.id);
    of_table.filter(move |row| !is_other(row)).chain(OTHERS)
}

/// How one sentence is said under a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saying {
    /// On or off.
    pub enabled: bool,
    /// The talker that the profile forces; empty: the usual one.
    pub talker: String,
    /// Milliseconds.
    pub period_ms: u32,
    /// The profile itself switches it on or off.
    pub explicit: Option<bool>,
}

impl Saying {
    /// Of a sentence by its id; `None` when it cannot be said.
    pub fn of(settings: &Settings, id: &str) -> Option<Saying> {
        rows().find(|r| r.id == id).map(|row| Saying::of_row(settings, &row))
    }

    fn of_row(settings: &Settings, row: &Row) -> Saying {
        let own = settings.sentences.by_id.get(row.id);
        let usual = preset(&settings.sentences.preset, row);
        let explicit = own.and_then(|s| s.enabled);
        Saying {
            enabled: explicit.unwrap_or(usual.is_some()),
            talker: own.and_then(|s| s.talker.clone()).unwrap_or_default(),
            period_ms: own.and_then(|s| s.period).or(usual).unwrap_or(row.usual_ms),
            explicit,
        }
    }
}

/// The period under a preset; `None`: off.
fn preset(name: &str, row: &Row) -> Option<u32> {
    let on = |ids: &[&str]| ids.contains(&row.id).then_some(row.period_ms.unwrap_or(row.usual_ms));
    match name {
        "4800" => on(&["RMC", "HDG", "VHW", "DPT", "MTW", "MWV-R", "APB", "RMB"]),
        "gnss" => on(&["RMC", "GGA", "GLL", "GSA", "GSV", "VTG", "ZDA"]),
        "multi-constellation" => on(&["RMC", "GGA", "GLL", "GNS", "GSA", "GSV", "VTG", "ZDA"]),
        "fast-heading" if matches!(row.id, "HDG" | "ROT") => Some(100),
        _ => row.period_ms,
    }
}

/// One line of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The id; `custom.0` for the user's own.
    pub id: String,
    /// What makes it.
    pub by: By,
    /// The talker that the profile forces; empty: the usual one.
    pub talker: String,
    /// Nanoseconds.
    pub period: Offset,
    /// When it is due next: a multiple of the period.
    pub next: Offset,
    /// Says something of the route.
    navigates: bool,
    /// Has a time of its own: begins an epoch.
    timed: bool,
}

/// Sentences that say something of the route.
const NAVIGATES: [&str; 10] = ["APB", "XTE", "RMB", "BWC", "BWR", "BOD", "AAM", "APA", "RTE", "WPL"];
/// Sentences of which the time is that of the epoch.
const TIMED: [&str; 7] = ["RMC", "GGA", "GLL", "GNS", "GST", "GBS", "ZDA"];

/// When what is due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    entries: Vec<Entry>,
}

impl Schedule {
    /// Everything enabled, due at 0.
    pub fn new(settings: &Settings) -> Schedule {
        let mut schedule = Schedule::default();
        schedule.change(settings, 0);
        schedule
    }

    /// Takes over what the profile now says: what goes on keeps its next slot, what is new is due in its first slot at or
    /// after `now`.
    pub fn change(&mut self, settings: &Settings, now: Offset) {
        let mut entries = Vec::new();
        let mut add = |id: &str, by, talker: &str, period_ms: u32| {
            let period = Offset::from(period_ms) * MILLISECOND;
            let old = self.entries.iter().find(|e| e.id == id && e.period == period);
            let next = old.map_or_else(|| slot_at_or_after(now, period), |e| e.next);
            let (navigates, timed) = (NAVIGATES.contains(&id), TIMED.contains(&id));
            entries.push(Entry { id: id.into(), by, talker: talker.into(), period, next, navigates, timed });
        };
        for row in rows() {
            let saying = Saying::of_row(settings, &row);
            if saying.enabled {
                add(row.id, row.by, &saying.talker, saying.period_ms);
            }
        }
        for (i, custom) in settings.sentences.custom.iter().enumerate().filter(|(_, c)| c.enabled) {
            add(&format!("custom.{i}"), By::Custom(i), "", custom.period);
        }
        if entries.is_empty() {
            let next = slot_at_or_after(now, SECOND);
            let (by, period) = (By::Nobody, SECOND);
            entries.push(Entry {
                id: String::new(),
                by,
                talker: String::new(),
                period,
                next,
                navigates: false,
                timed: false,
            });
        }
        self.entries = entries;
    }

    /// When the next sentence is due.
    pub fn next_due(&self) -> Option<Offset> {
        self.entries.iter().map(|e| e.next).min()
    }

    /// Whether something of the route is due.
    pub fn navigates(&self, at: Offset) -> bool {
        self.entries.iter().any(|e| e.navigates && e.next <= at)
    }

    /// Of each sentence that begins an epoch (of each at all, if there is none): its slot after `at`, and that before.
    pub fn slots(&self, at: Offset) -> impl Iterator<Item = (Offset, Option<Offset>)> {
        let any = self.entries.iter().any(|e| e.timed);
        self.entries.iter().filter(move |e| e.timed || !any).map(move |e| {
            let before = slot_at_or_after(at, e.period) - e.period;
            (slot_at_or_after(at + 1, e.period), (before >= 0).then_some(before))
        })
    }

    /// The lines, in the order in which a round says them.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the first line that is due at `at`, and has its next slot from now on.
    pub fn take(&mut self, at: Offset, from: usize) -> Option<usize> {
        let i = (from..self.entries.len()).find(|i| self.entries[*i].next <= at)?;
        let entry = &mut self.entries[i];
        entry.next = slot_at_or_after(at + 1, entry.period);
        Some(i)
    }
}

fn slot_at_or_after(at: Offset, period: Offset) -> Offset {
    at.div_euclid(period) * period + if at.rem_euclid(period) == 0 { 0 } else { period }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::profile::Profile;

    #[test]
    fn slots_are_kept_and_everything_is_due_at_0() {
        assert_eq!(slot_at_or_after(0, SECOND), 0);
        assert_eq!(slot_at_or_after(1, SECOND), SECOND);
        assert_eq!(slot_at_or_after(SECOND, SECOND), SECOND);
        let mut schedule = Schedule::new(&Profile::built_in());
        assert!(schedule.entries().iter().all(|e| e.next == 0));
        // Taken late, the next slot is a multiple of the period all the same.
        let late = 2_300 * MILLISECOND;
        assert_eq!(schedule.take(late, 0), Some(0));
        assert_eq!(schedule.entries()[0].next, 3 * SECOND);
    }

    #[test]
    fn a_preset_decides_and_a_table_of_its_own_overrides_it() {
        let ids = |p: &Profile| Schedule::new(p).entries().iter().map(|e| e.id.clone()).collect::<Vec<_>>();
        let mut p = Profile::built_in();
        p.set("sentences.preset", "4800").unwrap();
        p.set("sentences.GLL.enabled", "on").unwrap();
        p.set("sentences.MTW.enabled", "off").unwrap();
        let said = ids(&p);
        assert!(said.contains(&"RMC".to_string()) && said.contains(&"GLL".to_string()), "{said:?}");
        assert!(!said.contains(&"MTW".to_string()) && !said.contains(&"GGA".to_string()), "{said:?}");
        p.set("sentences.preset", "fast-heading").unwrap();
        let schedule = Schedule::new(&p);
        let hdg = schedule.entries().iter().find(|e| e.id == "HDG").unwrap();
        assert_eq!(hdg.period, 100 * MILLISECOND);
    }

    #[test]
    fn a_change_keeps_the_slots_of_the_others() {
        let mut p = Profile::built_in();
        let mut schedule = Schedule::new(&p);
        while schedule.take(SECOND, 0).is_some() {}
        p.set("sentences.RMC.period", "400ms").unwrap();
        let before = schedule.clone();
        schedule.change(&p, 1_050 * MILLISECOND);
        for e in schedule.entries() {
            let old = before.entries().iter().find(|o| o.id == e.id).unwrap();
            let expected = if e.id == "RMC" { 1200 * MILLISECOND } else { old.next };
            assert_eq!(e.next, expected, "{}", e.id);
        }
    }
}
