//! Every rule with a stream that triggers it, and one, healthy but close, that must not.

mod cadence;
mod form;
mod gnss;
mod heading;
mod instruments;
mod inventory;
mod traffic;
mod twins;
mod voyage;

use proptest::prelude::*;

use super::board;
use super::context::Settings;
use super::kind::Kind;
use super::report::{Format, Report};
use super::rig::Rig;
use super::rows;
use crate::core::frame::{Class, Origin};

#[test]
fn a_healthy_boat_has_no_errors_and_no_warnings() {
    for settings in [Settings::live(true), Settings::live(false), Settings::log(true, true), Settings::simulation()] {
        let mut rig = Rig::new(settings);
        rig.each_second(600, Rig::healthy);
        assert_eq!(rig.severe(), []);
    }
}

#[test]
fn clearing_forgets_findings_and_counters_but_not_the_input() {
    let mut rig = Rig::live();
    rig.each_second(60, |r, _| r.say("HEHDT,361.0,T"));
    assert!(rig.holds(Kind::HeadingRange));
    rig.diag.clear();
    assert!(rig.diag.findings().is_empty() && rig.diag.rows().iter().next().is_none());
    assert_eq!(rig.diag.feeds().count(), 1);
    rig.each_second(60, Rig::healthy);
    assert_eq!(rig.severe(), []);
}

/// Sentences of every formatter with fields from a short list of odd ones.
fn odd_sentence() -> impl Strategy<Value = String> {
    let formatters: Vec<&'static str> =
        crate::core::nmea::table::FORMATTERS.iter().map(|f| f.about.formatter).collect();
    let field = prop::sample::select(vec![
        "",
        "A",
        "V",
        "N",
        "E",
        "W",
        "S",
        "T",
        "M",
        "R",
        "L",
        "0",
        "1",
        "2",
        "9",
        "-1",
        "0.0",
        "45.0",
        "360.0",
        "361.0",
        "-0.5",
        "999999999999",
        "1e9",
        "123519.00",
        "010100",
        "3730.0000",
        "02330.0000",
        "9000.0000",
        "x",
        "W84",
        "U",
        "12.0",
        "HOUSE",
        "99",
        "15Ml7W?P?wG@5BRE`tw>4?vP0L16",
    ]);
    let talker = prop::sample::select(vec!["GP", "GN", "II", "AI", "P", ""]);
    (talker, prop::sample::select(formatters), prop::collection::vec(field, 0..22))
        .prop_map(|(talker, formatter, fields)| format!("{talker}{formatter},{}", fields.join(",")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_comes_is_survived_and_bounded(
        lines in prop::collection::vec((odd_sentence(), 0_i64..3_000, 0_u16..3, any::<bool>()), 1..120),
        raw in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut rig = Rig::live();
        for (body, ms, input, good) in lines {
            if good {
                rig.say_as(Origin::Input(input), &body);
            } else {
                rig.line(Class::BadChecksum, body.as_bytes());
                rig.line(Class::Garbled, &raw);
            }
            let now = rig.now();
            rig.diag.hear_raw(Origin::Input(input), &raw, now);
            rig.wait_ms(ms);
        }
        rig.diag.finish();
        prop_assert!(rig.diag.rows().iter().count() <= rows::MOST_ROWS);
        prop_assert!(rig.diag.findings().len() <= board::MOST);
        let report = Report::new(&rig.diag, "x", Vec::new(), None);
        for format in [Format::Text, Format::Markdown, Format::Json] {
            let text = report.render(format);
            prop_assert!(!text.contains("NaN") && !text.contains("inf "));
            prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        }
    }
}
