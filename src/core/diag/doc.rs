//! The reference of all findings in Markdown, from the constants of the rules: `docs/findings.md`.

use std::fmt::Write;

use super::kind::{KINDS, Kind, Severity};
use super::{alarms, cadence, clock, feed, form, gnss, heading, instruments, route, stats, tags, traffic, twins};
use crate::core::time::{MILLISECOND, Offset, SECOND};

/// The page.
pub fn page() -> String {
    let mut out = String::from(
        "# Findings\n\nWhat Diagnose, `--report` and `check --report` look for, when they say it, and what to try. Written by the program \
         from the constants of its rules (`UPDATE_DOCS=1 cargo test docs`). Times are the source's own. A finding that no longer \
         holds is kept as past; rows of the table are kept per input, talker, formatter and sub-key.\n\nExit status 4: an error was found.\n",
    );
    for (severity, title) in [(Severity::Error, "Errors"), (Severity::Warning, "Warnings"), (Severity::Note, "Notes")] {
        let _ = write!(out, "\n## {title}\n\n| finding | name | when | what to try |\n|---|---|---|---|\n");
        for about in KINDS.iter().filter(|k| k.severity == severity) {
            let rule = rule(about.kind).replace('|', "\\|");
            let _ = writeln!(out, "| {} | `{}` | {rule} | {} |", about.title, about.kind.name(), about.advice);
        }
    }
    out.push_str("\n## Alarms of AIS units\n\n| number | meaning |\n|--:|---|\n");
    for (number, words) in alarms::AIS_ALARMS {
        let _ = writeln!(out, "| {number:03} | {words} |");
    }
    out
}

fn s(span: Offset) -> String {
    if span % SECOND == 0 { format!("{} s", span / SECOND) } else { format!("{} ms", span / MILLISECOND) }
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1e6).round() / 1e4)
}

/// When a kind is found, with its thresholds.
fn rule(kind: Kind) -> String {
    match kind {
        Kind::NoData => format!(
            "nothing for {}, or {} times the longest pause so far (live inputs); not while a baud rate is looked for",
            s(feed::SILENT_AFTER),
            feed::SILENT_FACTOR
        ),
        Kind::WrongBaud => format!(
            "serial, no sentence for {}: only zero bytes, or less than {} printable; UBX and other binary protocols are told apart; or a search over all rates that found no sentence",
            s(feed::NO_SENTENCE),
            percent(super::bytes::PRINTABLE)
        ),
        Kind::Inverted => format!(
            "the bytes turned over, `(!b >> 1) & 0x7F`, hold {} sentences with right checksums",
            super::bytes::PROOF
        ),
        Kind::ChecksumErrors => format!(
            "more than {} and at least {} damaged; the one torn by connecting does not count; over when none came for {}",
            percent(feed::ERRORS_SHARE),
            feed::ERRORS_LEAST,
            s(feed::ERRORS_MEMORY)
        ),
        Kind::Lost => format!(
            "neither whole nor damaged for {}, or {} times its own interval; {} where it comes seldom; never event-driven ones, nor routes when navigation ends; \
             not while the whole input is quiet, nor while the receiver calls itself by another name (GN, GP)",
            s(stats::LOST_AFTER),
            stats::LOST_INTERVALS,
            s(stats::LOST_AFTER_SELDOM)
        ),
        Kind::DeviceGone => format!("all types of a talker silent, at least {} of them lost", cadence::GONE_LEAST),
        Kind::Slow => format!(
            "the median interval doubled for {} (live, or a log with stamps); expected is the own median of the first {}",
            s(stats::SLOW_FOR),
            s(stats::LEARNING)
        ),
        Kind::Jitter => format!(
            "p90 of the deviation over {} of the period; a note for periods of {} s and more",
            percent(cadence::JITTER_SHARE),
            cadence::JITTER_PERIOD
        ),
        Kind::Latency => format!(
            "arrival minus the time in RMC, least of {}, grew by {} since the first {}",
            s(clock::DELAY_OVER),
            s(clock::GROWN),
            s(clock::LEARNING)
        ),
        Kind::Load => format!(
            "above {} over {} s, {} bits a byte, on a UART or an input with a stated baud rate",
            percent(feed::LOAD),
            super::window::WINDOW_SECONDS,
            feed::BITS_A_BYTE
        ),
        Kind::NoFix => format!("status V, quality 0 or GSA 1 for {} from the start", s(gnss::SEARCHING)),
        Kind::FixLost => format!("status V, quality 0 or GSA 1 for {} after a fix", s(gnss::LOST_AFTER)),
        Kind::FewSatellites => {
            format!("fewer than {} used for {} (GGA, or the sum of GSA)", gnss::FEW_SATELLITES, s(gnss::POOR_FOR))
        }
        Kind::Hdop => format!("HDOP above {} for {}", gnss::POOR_HDOP, s(gnss::POOR_FOR)),
        Kind::Jump => format!(
            "faster than {} kn (and twice the speed said) and further than {} m, {} times in {}, after {} of fix",
            gnss::JUMP_KN,
            gnss::JUMP_M,
            gnss::JUMPS,
            s(gnss::JUMP_MEMORY),
            s(gnss::JUMP_SETTLED)
        ),
        Kind::Frozen => format!(
            "speed above {} kn and no change for {} times resolution / speed, at least {}",
            gnss::FROZEN_KN,
            gnss::FROZEN_STEPS,
            s(gnss::FROZEN_LEAST)
        ),
        Kind::WeekRollover => format!(
            "live, or a log with stamps: a date before {}, 7168 days (or a multiple) behind a good clock, within {} days",
            clock::PROGRAM,
            clock::ROLLOVER_GRAIN / crate::core::time::DAY
        ),
        Kind::LocalTime => format!(
            "whole hours (up to {}) off a good clock, within {}, for {}; a note in a log, which may be stamped in local time",
            clock::MOST_HOURS,
            s(clock::HOUR_GRAIN),
            s(clock::OFF_FOR)
        ),
        Kind::DateJump => "the date in a log jumps by 7168 days".to_owned(),
        Kind::NotReal => format!("mode S, E, M or quality 6, 7, 8 for {}", s(gnss::UNREAL_FOR)),
        Kind::Datum => "DTM says another datum than W84".to_owned(),
        Kind::OnlyGn => format!("RMC from GN and none from GP after {}", s(gnss::GN_AFTER)),
        Kind::TwoPositions => format!(
            "positions of one UTC second more than {} m or {} m x HDOP apart for {}",
            twins::POSITION_M,
            twins::POSITION_M_PER_HDOP,
            s(twins::DISAGREE_FOR)
        ),
        Kind::TwoHeadings => {
            format!("true headings more than {} degrees apart for {}", twins::HEADING_DEG, s(twins::DISAGREE_FOR))
        }
        Kind::TwoDepths => format!(
            "depths more than {} m and {} apart for {}, offsets taken into account",
            twins::DEPTH_M,
            percent(twins::DEPTH_SHARE),
            s(twins::DISAGREE_FOR)
        ),
        Kind::TwoWinds => format!(
            "apparent winds more than {} degrees and {} of the speed apart for {}",
            twins::WIND_DEG,
            percent(twins::WIND_SHARE),
            s(twins::DISAGREE_FOR)
        ),
        Kind::TwoPilots => format!(
            "APB (or RMB) from two devices, each {} times within {}",
            twins::PILOTS_LEAST,
            s(twins::PILOTS_WITHIN)
        ),
        Kind::Echo => format!(
            "most sentences with a time (at least {} in {}) again within {}, here or on another input; or {} types at least, and half of all, \
             twice as often as at the start; a note when only AIS of others comes twice",
            twins::ECHO_LEAST,
            s(twins::ECHO_OVER),
            s(twins::ECHO_WITHIN),
            cadence::DOUBLED_LEAST
        ),
        Kind::DatagramsTwice => "as an echo, on one UDP input".to_owned(),
        Kind::PeerCloses => format!("closed {} times after about the same time", feed::CLOSES_LEAST),
        Kind::HeadingRange => format!("below 0 or above 360, {} times (360.0 is right)", heading::RANGE_LEAST),
        Kind::HeadingStuck => format!(
            "course or turn indicator turned more than {} degrees at more than {} kn, the heading did not change",
            heading::STUCK_TURN_DEG,
            heading::STUCK_KN
        ),
        Kind::HeadingsDiffer => format!(
            "HDT, HDG with deviation and variation, HDM with variation of one device more than {} degrees apart for {}",
            heading::FIT_DEG,
            s(heading::FIT_FOR)
        ),
        Kind::CogAsHeading => format!(
            "heading within {} degrees of the course for {}; a note when it does not come from a GNSS talker",
            heading::COG_DEG,
            s(heading::COG_FOR)
        ),
        Kind::HeadingOffset => format!(
            "heading more than {} degrees off the course on the mean of {} above {} kn, steady within {} degrees",
            heading::OFFSET_DEG,
            s(heading::OFFSET_FOR),
            heading::OFFSET_KN,
            heading::OFFSET_STEADY_DEG
        ),
        Kind::Variation => format!(
            "more than {} degrees off the magnetic model for {}; exactly 0.0 where the model says more than {}; {} degrees more a year outside \
             the model's years",
            heading::VARIATION_DEG,
            s(heading::VARIATION_FOR),
            heading::VARIATION_ZERO_DEG,
            heading::VARIATION_DRIFT_DEG
        ),
        Kind::NoVariation => "APB bearings are true and nobody says a variation".to_owned(),
        Kind::NoVariationSaid => format!("a fix, and no variation in RMC or HDG for {}", s(heading::UNSAID_FOR)),
        Kind::WindStuck => {
            format!("apparent angle unchanged for {} above {} kn", s(instruments::WIND_STUCK), instruments::WIND_KN)
        }
        Kind::WindInvalid => format!("MWV status V for {}", s(instruments::WIND_INVALID)),
        Kind::PaddleWheel => format!(
            "less than {} of a speed over ground above {} kn, for {}",
            percent(instruments::PADDLE_SHARE),
            instruments::PADDLE_SOG_KN,
            s(instruments::PADDLE_FOR)
        ),
        Kind::DepthLost => {
            format!("empty or 0.0 for {} after less than {} m", s(instruments::DEPTH_FOR), instruments::SOUNDINGS_M)
        }
        Kind::NoSoundings => format!(
            "empty or 0.0 for {} after {} m or more, or from the start",
            s(instruments::DEPTH_FOR),
            instruments::SOUNDINGS_M
        ),
        Kind::DepthsDiffer => format!(
            "DPT, DBT, DBS, DBK of one device more than {} m and {} apart for {}",
            instruments::DEPTHS_M,
            percent(instruments::DEPTHS_SHARE),
            s(instruments::DEPTHS_FOR)
        ),
        Kind::LineEnds => format!(
            "most of at least {} lines end with LF or CR only; not while more than {} of the sentences are damaged",
            feed::ENDS_LEAST,
            percent(feed::MESSY)
        ),
        Kind::NoChecksum => format!(
            "{} sentences and more than {} of a device, where others have one; fewer are torn, and count as damaged",
            form::LEAST,
            percent(form::WITHOUT_SHARE)
        ),
        Kind::EightBit => format!(
            "{} sentences of a talker; or a known binary protocol between good sentences ({} bytes that are no text, and more than {} of all)",
            form::LEAST,
            feed::BINARY_LEAST,
            percent(feed::BINARY_SHARE)
        ),
        Kind::ShortChecksum | Kind::IllegalCharacters => {
            format!("{} sentences of a talker", form::LEAST)
        }
        Kind::Nuls => format!(
            "{} of them, and {} times as many as other bytes that are no text",
            feed::NULS_LEAST,
            feed::NULS_TIMES
        ),
        Kind::FieldCount => format!("{} sentences; the right counts of all versions are in sentences.md", form::LEAST),
        Kind::LongSentences => {
            format!("longer than {} with CR LF; a warning when forwarded to a serial line", form::LONGEST)
        }
        Kind::Proprietary => "begins with P; named with its maker where that is known".to_owned(),
        Kind::UnknownType => "a formatter that is not in sentences.md".to_owned(),
        Kind::RouteDisagrees => format!(
            "cross-track errors of APB, RMB, XTE within {} more than {} nm apart (RMB: {} more), or opposite orders above {} nm, {} times",
            s(route::TOGETHER),
            route::XTE_NM,
            route::XTE_GRAIN_NM,
            route::OPPOSITE_NM,
            route::LEAST
        ),
        Kind::TagLoss => {
            format!("{} numbers missing, once {} in a row were seen from a source", tags::LEAST, tags::IN_A_ROW)
        }
        Kind::AisParts => format!(
            "more than {} and at least {} of the messages of several sentences",
            percent(traffic::PARTS_SHARE),
            traffic::PARTS_LEAST
        ),
        Kind::AisChannel => {
            format!("all of at least {} messages in {}", traffic::CHANNEL_LEAST, s(traffic::CHANNEL_FOR))
        }
        Kind::AisNoOwn => {
            format!("{} messages of others in {}, no VDO ever", traffic::OTHERS_LEAST, s(traffic::OWN_FOR))
        }
        Kind::AisOwnSilent => format!("VDO was heard, and not for {} while others are", s(traffic::OWN_FOR)),
        Kind::AisOwnReceived => "a ship's MMSI comes by VDO and by VDM".to_owned(),
        Kind::AisNoMmsi => "a message with MMSI 0".to_owned(),
        Kind::AisNoStatic => format!("positions by VDO for {}, never a message 5 or 24", s(traffic::STATIC_FOR)),
        Kind::AisNoPosition => format!("others are heard, and no own position for {}", s(traffic::POSITION_FOR)),
        Kind::Alarm => "ALR with condition A, ALF not in state N".to_owned(),
        Kind::DeviceText => "TXT".to_owned(),
        Kind::LowVolts => format!(
            "XDR volts from {} to below {} for {}",
            instruments::LEAST_VOLTS,
            instruments::LOW_VOLTS,
            s(instruments::LOW_FOR)
        ),
        Kind::ClockBreak => "the timeline of a log cannot follow its clock".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_list_every_finding_with_its_thresholds() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/findings.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(file, page()).unwrap();
        }
        let written = std::fs::read_to_string(file).unwrap_or_default();
        assert!(
            written == page(),
            "docs/findings.md is not that of the rules: UPDATE_DOCS=1 cargo test docs writes it"
        );
        // A few of DIAGNOSIS, by hand.
        for line in [
            "nothing for 5 s, or 3 times",
            "more than 0.1 % and at least 3",
            "above 80 % over 10 s, 10 bits",
            "25 m x HDOP apart for 30 s",
        ] {
            assert!(written.contains(line), "{line}");
        }
    }
}
