//! Which tests show each rule: one with a stream that triggers it, one with a stream that is healthy but close. Often the two
//! are halves of one test. A new kind of finding without both does not pass.

use super::super::kind::{KINDS, Kind};
use Kind as K;

/// Kind, the test that triggers it, the test of what must not.
const TESTS: &[(Kind, &str, &str)] = &[
    (K::NoData, "no_data_is_said_after_five_seconds_or_three_of_the_usual_pauses", SAME),
    (K::WrongBaud, "a_wrong_rate_and_inverted_wires_are_told_apart", SAME),
    (K::Inverted, "a_wrong_rate_and_inverted_wires_are_told_apart", SAME),
    (K::ChecksumErrors, "checksum_errors_need_three_and_one_in_a_thousand", SAME),
    (K::Lost, "a_sensor_that_dies_is_lost_and_only_that", "events_and_the_end_of_navigation_are_never_lost"),
    (K::DeviceGone, "a_device_that_falls_silent_is_one_finding", "a_receiver_that_changes_its_talker_is_not_gone"),
    (K::Slow, "half_the_rate_is_slow_within_ten_seconds_after_its_half_minute", SAME),
    (K::Jitter, "fast_sentences_must_come_evenly", SAME),
    (K::Latency, "a_delay_that_grows_is_said_a_constant_one_is_not", SAME),
    (K::Load, "the_load_counts_on_lines_that_have_a_limit", SAME),
    (K::NoFix, "a_receiver_may_search_for_two_minutes", SAME),
    (K::FixLost, "a_fix_is_lost_after_ten_seconds", SAME),
    (K::FewSatellites, "few_satellites_and_poor_geometry", SAME),
    (K::Hdop, "few_satellites_and_poor_geometry", "a_healthy_boat_at_4800_baud"),
    (K::Jump, "two_jumps_are_a_finding_one_is_not", SAME),
    (K::Frozen, "a_position_that_stands_still_at_speed_is_frozen", SAME),
    (K::WeekRollover, "weeks_and_hours_off_against_a_good_clock", SAME),
    (K::LocalTime, "weeks_and_hours_off_against_a_good_clock", SAME),
    (K::DateJump, "a_jump_of_1024_weeks_inside_a_log", SAME),
    (K::NotReal, "simulators_dead_reckoning_and_hand_made_positions", SAME),
    (K::Datum, "another_datum", SAME),
    (K::OnlyGn, "gn_only_is_a_note", SAME),
    (K::TwoPositions, "two_receivers_a_mile_apart", SAME),
    (K::TwoHeadings, "two_compasses", SAME),
    (K::TwoDepths, "two_sounders_and_two_winds", SAME),
    (K::TwoWinds, "two_sounders_and_two_winds", SAME),
    (K::TwoPilots, "two_masters_for_the_pilot", SAME),
    (K::Echo, "what_comes_back_is_an_echo", SAME),
    (K::DatagramsTwice, "what_comes_back_is_an_echo", SAME),
    (K::PeerCloses, "a_peer_that_always_closes_after_the_same_time", SAME),
    (K::HeadingRange, "headings_up_to_and_with_360", SAME),
    (K::HeadingStuck, "a_compass_that_does_not_follow_is_stuck", SAME),
    (K::HeadingsDiffer, "true_and_magnetic_must_fit", SAME),
    (K::CogAsHeading, "the_course_sold_as_heading", SAME),
    (K::HeadingOffset, "a_compass_turned_in_its_mount", SAME),
    (K::Variation, "variation_against_the_model", SAME),
    (K::NoVariation, "a_pilot_needs_the_variation_or_magnetic_bearings", SAME),
    (K::NoVariationSaid, "variation_against_the_model", SAME),
    (K::WindStuck, "a_vane_that_does_not_move", SAME),
    (K::WindInvalid, "a_vane_that_does_not_move", SAME),
    (K::PaddleWheel, "a_fouled_paddle_wheel", SAME),
    (K::DepthLost, "soundings_that_end", SAME),
    (K::NoSoundings, "soundings_that_end", SAME),
    (K::DepthsDiffer, "depth_sentences_of_one_sounder", SAME),
    (K::LineEnds, "line_ends_and_nuls", SAME),
    (K::NoChecksum, "sentences_without_checksum_where_others_have_one", SAME),
    (K::ShortChecksum, "checksums_of_one_digit_or_small_letters", SAME),
    (K::EightBit, "bytes_and_characters_that_do_not_belong", SAME),
    (K::Nuls, "line_ends_and_nuls", SAME),
    (K::IllegalCharacters, "bytes_and_characters_that_do_not_belong", SAME),
    (K::FieldCount, "counts_of_fields_over_all_versions", SAME),
    (K::LongSentences, "long_sentences_matter_on_serial_lines", SAME),
    (K::Proprietary, "makers_and_unknown_types_are_notes", SAME),
    (K::UnknownType, "makers_and_unknown_types_are_notes", SAME),
    (K::RouteDisagrees, "route_sentences_of_one_moment", SAME),
    (K::TagLoss, "a_log_goes_through_the_rules_with_its_bad_lines_and_tags", "holes_in_a_sequence_are_losses"),
    (K::AisParts, "parts_that_stay_away", SAME),
    (K::AisChannel, "one_channel_for_ten_minutes", SAME),
    (K::AisNoOwn, "a_receiver_without_transmitter_is_a_note_and_a_transmitter_that_stops_a_warning", SAME),
    (K::AisOwnSilent, "a_receiver_without_transmitter_is_a_note_and_a_transmitter_that_stops_a_warning", SAME),
    (K::AisOwnReceived, "the_own_number_on_the_air_and_no_number", SAME),
    (K::AisNoMmsi, "the_own_number_on_the_air_and_no_number", SAME),
    (K::AisNoStatic, "own_static_data_that_never_come_are_a_note", SAME),
    (K::AisNoPosition, "a_receiver_without_transmitter_is_a_note_and_a_transmitter_that_stops_a_warning", SAME),
    (K::Alarm, "alarms_in_the_device_s_own_words", SAME),
    (K::DeviceText, "alarms_in_the_device_s_own_words", "a_healthy_boat_at_4800_baud"),
    (K::LowVolts, "a_battery_that_runs_down", SAME),
    (K::ClockBreak, "breaks_of_the_clock_are_a_note", SAME),
];

/// Both halves are one test.
const SAME: &str = "";

/// Where they are.
const SOURCES: &[&str] = &[
    include_str!("cadence.rs"),
    include_str!("form.rs"),
    include_str!("gnss.rs"),
    include_str!("heading.rs"),
    include_str!("instruments.rs"),
    include_str!("traffic.rs"),
    include_str!("twins.rs"),
    include_str!("voyage.rs"),
    include_str!("../feed/tests.rs"),
    include_str!("../of_log.rs"),
    include_str!("../tags.rs"),
];

/// The text of a test and of what stands before it in its file: helpers name kinds too.
fn body(name: &str) -> Option<String> {
    let head = format!("#[test]\nfn {name}() {{");
    let indented = format!("#[test]\n    fn {name}() {{");
    SOURCES.iter().find_map(|source| {
        let at = source.find(&head).or_else(|| source.find(&indented))?;
        let rest = &source[at..];
        let end = rest.find("\n}\n").or_else(|| rest.find("\n    }\n")).unwrap_or(rest.len());
        let before = &source[source[..at].rfind("#[test]").map_or(0, |i| i)..at];
        Some(format!("{before}{}", &rest[..end]))
    })
}

#[test]
fn every_rule_has_a_stream_that_triggers_it_and_one_that_is_close_and_does_not() {
    let listed: Vec<Kind> = TESTS.iter().map(|(kind, ..)| *kind).collect();
    let all: Vec<Kind> = KINDS.iter().map(|about| about.kind).collect();
    assert_eq!(listed, all, "one row for each kind, in its order");
    for (kind, trigger, healthy) in TESTS {
        let text = body(trigger).unwrap_or_else(|| panic!("{kind:?}: there is no test {trigger}"));
        assert!(text.contains(&format!("Kind::{kind:?}")), "{trigger} does not speak of {kind:?}");
        assert!(healthy.is_empty() || body(healthy).is_some(), "{kind:?}: there is no test {healthy}");
    }
}
