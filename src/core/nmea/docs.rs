//! The reference of all sentences in Markdown, from the table: `docs/sentences.md`.

use std::fmt::Write;

use super::table::{FORMATTERS, Formatter};
use super::wire::{Field, Form, Group, Slot, Wire};
use super::{About, Cadence};

/// The whole page.
pub fn page() -> String {
    let mut out = String::from(
        "# Sentences\n\n\
         Made from the table in `src/core/nmea/table.rs`; a test compares. Names are those of `nmeasimx decode`; units are in\n\
         the names. Every sentence is decoded with any talker.\n\n\
         | id | title | talker | default | counts of fields |\n|---|---|---|---|---|\n",
    );
    for row in FORMATTERS {
        let about = &row.about;
        let counts: Vec<String> = about.field_counts.iter().map(u8::to_string).collect();
        let counts = if counts.is_empty() { "any".to_owned() } else { counts.join(" ") };
        let _ = writeln!(out, "| {} | {} | {} | {} | {counts} |", about.id, about.title, about.talker, period(about));
    }
    for row in FORMATTERS {
        let _ = write!(out, "\n## {}\n\n{}.\n\n", row.about.id, row.about.title);
        out.push_str("| field | form | meaning |\n|---|---|---|\n");
        for (name, form, what) in fields(row) {
            let _ = writeln!(out, "| {name} | {form} | {what} |");
        }
    }
    out
}

/// When it is said, in words: `1 s`, `off`, `heard`.
pub fn period(about: &About) -> String {
    match about.period_ms {
        _ if !about.said => "heard".to_owned(),
        None => "off".to_owned(),
        Some(ms) => {
            let condition = match about.cadence {
                Cadence::WhileNavigating => " with a destination",
                _ if about.formatter == "VDO" => " with an MMSI",
                _ => "",
            };
            if ms % 60_000 == 0 {
                format!("{} min{condition}", ms / 60_000)
            } else {
                format!("{} s{condition}", f64::from(ms) / 1000.0)
            }
        }
    }
}

/// Name, form on the wire and meaning of each field of a row.
pub fn fields(row: &Formatter) -> Vec<(String, String, &'static str)> {
    let mut lister = Lister { rows: Vec::new(), group: None };
    (row.visit)(&mut [&mut lister]);
    lister.rows
}

struct Lister {
    rows: Vec<(String, String, &'static str)>,
    group: Option<&'static Group>,
}

impl Wire for Lister {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        let form = match &slot {
            Slot::Time(_) => "hhmmss.ss".to_owned(),
            Slot::Elapsed(_) => "hhmmss.ss, a duration".to_owned(),
            Slot::SplitTime(_) => "h, m, s, ms".to_owned(),
            Slot::Date(_) => "ddmmyy".to_owned(),
            Slot::DayMonthYear(_) => "dd, mm, yyyy".to_owned(),
            Slot::YearMonthDay(_) => "yyyy, m, d".to_owned(),
            Slot::Latitude(_) => "ddmm.mmmm, N/S".to_owned(),
            Slot::Longitude(_) => "dddmm.mmmm, E/W".to_owned(),
            Slot::Number { form, .. } => number(*form).to_owned(),
            Slot::Integer { least, most, .. } => format!("whole, {least} to {most}"),
            Slot::Hex { .. } => "hexadecimal".to_owned(),
            Slot::Signed { letters: [plus, minus], .. } => {
                format!("number, {}/{}", char::from(*plus), char::from(*minus))
            }
            Slot::Measure { units, form, ahead, .. } => {
                let letters: Vec<String> = units.iter().map(|u| char::from(u.letter).to_string()).collect();
                let place = if *ahead > 1 { " (further on)" } else { "" };
                format!("{}, {}{place}", number(*form), letters.join("/"))
            }
            Slot::UnitLetter { .. } => "letter of the unit".to_owned(),
            Slot::Letter { of: [], .. } => "letter".to_owned(),
            Slot::Letter { of, .. } => {
                let letters: Vec<String> = of.iter().map(|b| char::from(*b).to_string()).collect();
                letters.join("/")
            }
            Slot::Text { .. } => "text".to_owned(),
            Slot::Unused => "not read".to_owned(),
        };
        let name = match &slot {
            Slot::Measure { units, .. } => units.iter().map(|u| u.name).collect::<Vec<_>>().join(", "),
            _ => field.name.to_owned(),
        };
        let name = match self.group {
            Some(group) if group.width == 1 => format!("{}[]", group.name),
            Some(group) => format!("{}[].{name}", group.name),
            None => name,
        };
        self.rows.push((name, form, field.what));
    }

    fn another(&mut self, group: &'static Group, i: usize, _: usize) -> bool {
        self.group = (i == 0).then_some(group);
        i == 0
    }

    fn more(&mut self, _: bool) -> bool {
        true
    }
}

fn number(form: Form) -> &'static str {
    match form {
        Form::Plain => "number",
        Form::Positive => "number from 0",
        Form::Bearing => "0 to 360",
        Form::HalfCircle => "0 to 180",
        Form::Signed180 => "-180 to 180",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_docs_is_that_of_the_table() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/sentences.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(file, page()).unwrap();
        }
        let written = std::fs::read_to_string(file).unwrap_or_default();
        assert!(
            written == page(),
            "docs/sentences.md is not that of the table: UPDATE_DOCS=1 cargo test docs writes it"
        );
    }

    #[test]
    fn every_field_has_a_name_and_a_meaning() {
        for row in FORMATTERS {
            for (name, form, what) in fields(row) {
                assert!(!what.is_empty() && !what.contains('|'), "{}: {name}", row.about.id);
                assert!(
                    !name.is_empty() || form == "not read" || form == "letter of the unit",
                    "{}: {what}",
                    row.about.id
                );
            }
        }
    }
}
