//! Says states that come as JSON (`Vessel`, one a line) on standard input with every sentence of the table, for judges in
//! other languages: `tests/judges/random_states.py` runs it. Each line out is an id, a tab and a sentence; an empty line
//! ends a state. With any argument it prints an unknown vessel instead, as a form to fill in.

#![allow(clippy::expect_used, reason = "an example that cannot go on fails")]

use std::io::{self, BufRead, Write};

use nmeasimx::core::nmea::Style;
use nmeasimx::core::nmea::table::FORMATTERS;
use nmeasimx::core::time::Moment;
use nmeasimx::core::vessel::{Bare, Vessel};

fn main() {
    let mut out = io::stdout().lock();
    if std::env::args().nth(1).is_some() {
        let blank = serde_json::to_string(&Vessel::default()).expect("JSON");
        writeln!(out, "{blank}").expect("written");
        return;
    }
    for line in io::stdin().lock().lines() {
        let vessel: Vessel = serde_json::from_str(&line.expect("a line")).expect("a vessel as JSON");
        let now = Moment { offset: 0, utc: vessel.utc.bare() };
        for row in FORMATTERS {
            (row.say)(&vessel, now, &Style::default(), &mut |sentence| {
                let text = String::from_utf8_lossy(sentence);
                writeln!(out, "{}\t{text}", row.about.id).expect("written");
            });
        }
        writeln!(out).expect("written");
    }
}
