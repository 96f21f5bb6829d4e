//! `nmeasimx sentences`: what the program says and hears, from the table.

use std::io::{self, Write};

use nmeasimx::core::nmea::table::{self, FORMATTERS};
use nmeasimx::core::nmea::{Formatter, docs};
use serde_json::{Value, json};

use super::complain;

/// What `sentences` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Show the fields of these sentences, by id (MWV-R) or formatter (MWV)
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// One JSON object a sentence
    #[arg(long)]
    pub json: bool,
}

/// Lists sentences; the exit status: 2 for an id that the table does not know.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let mut rows: Vec<&Formatter> = Vec::new();
    for id in &args.ids {
        let id = id.to_ascii_uppercase();
        match table::by_id(&id).or_else(|| table::by_formatter(id.as_bytes())) {
            Some(row) => rows.push(row),
            None => {
                complain(err, &format!("no sentence {id}; without an ID, all are listed"));
                return 2;
            }
        }
    }
    let written = match (args.json, rows.is_empty()) {
        (true, true) => FORMATTERS.iter().try_for_each(|row| writeln!(out, "{}", object(row))),
        (true, false) => rows.iter().try_for_each(|row| writeln!(out, "{}", object(row))),
        (false, true) => list(out),
        (false, false) => rows.iter().try_for_each(|row| detail(out, row)),
    };
    u8::from(written.is_err())
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:<11} {:<7} {:<25} title", "id", "talker", "default")?;
    for row in FORMATTERS {
        let about = &row.about;
        writeln!(out, "{:<11} {:<7} {:<25} {}", about.id, about.talker, docs::period(about), about.title)?;
    }
    Ok(())
}

fn detail(out: &mut dyn Write, row: &Formatter) -> io::Result<()> {
    let about = &row.about;
    writeln!(out, "{}  {}", about.id, about.title)?;
    let talker = if about.talker.is_empty() { "proprietary" } else { about.talker };
    writeln!(out, "talker {talker}, default {}", docs::period(about))?;
    let fields = docs::fields(row);
    let name = fields.iter().map(|f| f.0.len()).max().unwrap_or(0).min(40);
    let form = fields.iter().map(|f| f.1.len()).max().unwrap_or(0).min(24);
    for (names, forms, what) in &fields {
        writeln!(out, "  {names:<name$}  {forms:<form$}  {what}")?;
    }
    writeln!(out)
}

fn object(row: &Formatter) -> Value {
    let about = &row.about;
    let fields: Vec<Value> = docs::fields(row)
        .into_iter()
        .map(|(name, form, what)| json!({"name": name, "form": form, "meaning": what}))
        .collect();
    json!({
        "id": about.id,
        "formatter": about.formatter,
        "title": about.title,
        "talker": about.talker,
        "said": about.said,
        "period_ms": about.period_ms,
        "field_counts": about.field_counts,
        "fields": fields,
    })
}
