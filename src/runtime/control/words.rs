//! Commands as words: what `nmeasimx ctl` takes, one command a call.

use crate::core::time::{Offset, SECOND};
use crate::core::transport::player::speed_from_text;
use crate::core::transport::target::Target;
use crate::core::transport::{Change, Looping, Transport, Unit};
use crate::runtime::session::{Command, OutputChange};

/// Name, arguments and meaning of every command in words. A line that begins with `{` is a command in JSON.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("status", "", "the session as one line of JSON"),
    ("play", "", "go on"),
    ("pause", "", "stand still"),
    ("toggle", "", "the other of the two"),
    ("step", "[N]", "send N sentences (1) and pause"),
    ("back", "[N]", "go back N sentences (1)"),
    ("epoch", "[N]", "N epochs on, negative: back"),
    ("go", "PLACE", "123 (line), 50%, 09:45, 2026-09-23 09:45:10, +90s, -5m, start, end"),
    ("speed", "X|max", "0.1 to 1000 times real time, or as fast as the outputs take it"),
    ("loop", "off|all", "what is repeated"),
    ("max-gap", "SECONDS|off", "the longest wait for the next sentence"),
    ("emit", "on|off", "send to the outputs, or only look"),
    ("set", "KEY VALUE", "give a key of the profile a value; what drifts is pinned there"),
    ("nudge", "KEY BY", "move a quantity and pin it"),
    ("release", "KEY", "let it drift again"),
    ("undo", "", "take back the last change"),
    ("reset", "", "back to what the profile says"),
    ("open", "SOURCE", "a log, profile, track or live feed"),
    (
        "input",
        "N SPEC",
        "give the n-th input of a live feed (from 1, as the screen counts) other settings, such as serial:/dev/ttyUSB0@auto",
    ),
    ("openables", "", "what could be opened, and where outputs could go to"),
    ("record", "[PATH]", "record to a new file in the record folder, or to PATH"),
    ("record-stop", "", "end the recording"),
    ("mark", "[NAME]", "mark where the play head stands"),
    ("output-add", "SPEC", "add an output"),
    ("output-edit", "N SPEC", "replace the n-th"),
    ("output-stop", "N", "stop the n-th"),
    ("output-start", "N", "start it again"),
    ("output-remove", "N", "remove it"),
    ("find", "PATTERN", "the next line that matches a regular expression"),
    ("clear", "", "clear the counters of Diagnose"),
    ("report", "FILE", "write a report (.txt, .md or .json)"),
    ("save", "[scenario] [PATH]", "save the profile; as a scenario: with what was asked as its steps"),
    ("cancel", "", "cancel the long job that is running"),
    ("quit", "", "end the session"),
];

/// What a line of words asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A command for the session.
    Command(Command),
    /// A snapshot.
    Status,
}

/// Reads one command.
///
/// # Errors
/// One line: the word that is wrong, and what would be right.
pub fn parse(line: &str) -> Result<Asked, String> {
    let line = line.trim();
    if line.starts_with('{') {
        let command = serde_json::from_str(line).map_err(|error| format!("not a command in JSON: {error}"))?;
        return Ok(Asked::Command(command));
    }
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let Some((_, form, _)) = COMMANDS.iter().find(|(known, ..)| *known == name) else {
        let shown = crate::core::visible::text(name.as_bytes());
        let names: Vec<&str> = COMMANDS.iter().map(|(known, ..)| *known).collect();
        return Err(format!("`{shown}` is no command: use one of {}", names.join(", ")));
    };
    if form.is_empty() && !rest.is_empty() {
        return Err(format!("`{name}` takes nothing behind it"));
    }
    if !form.is_empty() && !form.starts_with('[') && rest.is_empty() {
        return Err(format!("`{name}` needs {form}"));
    }
    let wrong = || format!("`{name} {}`: use {name} {form}", crate::core::visible::text(rest.as_bytes()));
    let number = |default: i64| -> Result<i64, String> {
        let n: i64 = if rest.is_empty() { default } else { rest.parse().map_err(|_| wrong())? };
        if n.unsigned_abs() > 1_000_000 { Err(wrong()) } else { Ok(n) }
    };
    let index = |text: &str| -> Result<u16, String> { text.parse().map_err(|_| wrong()) };
    let transport = |t| Ok(Asked::Command(Command::Transport(t)));
    let change = |c| Ok(Asked::Command(Command::Change(c)));
    let output = |o| Ok(Asked::Command(Command::Output(o)));
    match name {
        "status" => Ok(Asked::Status),
        "play" => transport(Transport::Play),
        "pause" => transport(Transport::Pause),
        "toggle" => transport(Transport::Toggle),
        "step" => transport(Transport::Step(Unit::Sentence, number(1)?)),
        "back" => transport(Transport::Step(Unit::Sentence, -number(1)?)),
        "epoch" => transport(Transport::Step(Unit::Epoch, number(1)?)),
        "go" => transport(Transport::Go(Target::parse(rest)?)),
        "speed" => transport(Transport::Speed(speed_from_text(rest)?)),
        "loop" => match rest {
            "off" => transport(Transport::Loop(Looping::Off)),
            "all" => transport(Transport::Loop(Looping::All)),
            _ => Err(wrong()),
        },
        "max-gap" => match rest {
            "off" => transport(Transport::Gap(None)),
            _ => transport(Transport::Gap(Some(seconds(rest).ok_or_else(wrong)?))),
        },
        "emit" => match rest {
            "on" => transport(Transport::Emit(true)),
            "off" => transport(Transport::Emit(false)),
            _ => Err(wrong()),
        },
        "set" => {
            let (key, value) = rest.split_once(['=', ' ']).ok_or_else(wrong)?;
            change(Change::Set { key: key.trim().into(), value: value.trim().into() })
        }
        "nudge" => {
            let (key, by) = rest.split_once(' ').ok_or_else(wrong)?;
            let by: f64 = by.trim().parse().ok().filter(|by: &f64| by.is_finite()).ok_or_else(wrong)?;
            change(Change::Nudge { key: key.into(), by })
        }
        "release" => change(Change::Release { key: rest.into() }),
        "undo" => Ok(Asked::Command(Command::Undo)),
        "reset" => change(Change::Reset),
        "open" => Ok(Asked::Command(Command::Open(rest.into()))),
        "input" => {
            let (n, spec) = rest.split_once(' ').ok_or_else(wrong)?;
            let n = index(n)?.checked_sub(1).ok_or_else(wrong)?;
            Ok(Asked::Command(Command::Input(n, spec.trim().into())))
        }
        "openables" => Ok(Asked::Command(Command::Openables)),
        "record" => Ok(Asked::Command(Command::Record(rest.into()))),
        "record-stop" => Ok(Asked::Command(Command::RecordStop)),
        "mark" => {
            let name = (!rest.is_empty()).then(|| rest.to_owned());
            Ok(Asked::Command(Command::Mark { at: None, name }))
        }
        "output-add" => output(OutputChange::Add(rest.into())),
        "output-edit" => {
            let (n, spec) = rest.split_once(' ').ok_or_else(wrong)?;
            output(OutputChange::Edit(index(n)?, spec.trim().into()))
        }
        "output-stop" => output(OutputChange::Stop(index(rest)?)),
        "output-start" => output(OutputChange::Start(index(rest)?)),
        "output-remove" => output(OutputChange::Remove(index(rest)?)),
        "find" => Ok(Asked::Command(Command::Find { pattern: rest.into(), from: None, back: false })),
        "clear" => Ok(Asked::Command(Command::ClearCounters)),
        "report" => Ok(Asked::Command(Command::Report(rest.into()))),
        "save" => Ok(Asked::Command(Command::SaveProfile(rest.into()))),
        "cancel" => Ok(Asked::Command(Command::Cancel)),
        _ => Ok(Asked::Command(Command::Quit)),
    }
}

fn seconds(text: &str) -> Option<Offset> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&seconds).then_some((seconds * SECOND as f64) as Offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        match parse(line) {
            Ok(Asked::Command(command)) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn words_become_commands() {
        assert_eq!(command("step"), Command::Transport(Transport::Step(Unit::Sentence, 1)));
        assert_eq!(command("back 3"), Command::Transport(Transport::Step(Unit::Sentence, -3)));
        assert_eq!(command("speed 2.5"), Command::Transport(Transport::Speed(Some(250))));
        assert_eq!(command("speed max"), Command::Transport(Transport::Speed(None)));
        assert_eq!(command("max-gap 1.5"), Command::Transport(Transport::Gap(Some(1_500_000_000))));
        let set = Change::Set { key: "vessel.heading".into(), value: "90".into() };
        assert_eq!(command("set vessel.heading 90"), Command::Change(set.clone()));
        assert_eq!(command(" set vessel.heading=90 "), Command::Change(set));
        assert_eq!(
            command("output-edit 2 udp:127.0.0.1:2000"),
            Command::Output(OutputChange::Edit(2, "udp:127.0.0.1:2000".into()))
        );
        assert_eq!(command(r#"{"record":"a.log"}"#), Command::Record("a.log".into()));
        assert_eq!(command("go 50%"), Command::Transport(Transport::Go(Target::Percent(50.0))));
        assert_eq!(command("input 1 serial:/dev/ttyUSB0@auto"), Command::Input(0, "serial:/dev/ttyUSB0@auto".into()));
        assert!(parse("input 0 serial:/dev/ttyUSB0@auto").is_err(), "the screen counts from 1");
        assert_eq!(parse("status"), Ok(Asked::Status));
    }

    #[test]
    fn every_command_listed_is_read() {
        for (name, form, _) in COMMANDS {
            let words = match *form {
                "" => String::new(),
                "[N]" | "N" => "2".into(),
                "PLACE" => "50%".into(),
                "X|max" => "4".into(),
                "off|all" | "SECONDS|off" | "on|off" => "off".into(),
                "KEY VALUE" | "KEY BY" => "vessel.speed 2".into(),
                "N SPEC" => "2 stdout".into(),
                other => other.trim_matches(['[', ']']).into(),
            };
            assert!(parse(&format!("{name} {words}")).is_ok(), "{name} {words}");
            if form.is_empty() {
                assert!(parse(&format!("{name} more")).is_err(), "{name}");
            } else if !form.starts_with('[') {
                assert!(parse(name).is_err(), "{name}");
            }
        }
    }

    #[test]
    fn nonsense_is_refused_in_one_line() {
        for line in [
            "",
            "fly",
            "speed 0",
            "speed nan",
            "speed 1001",
            "step x",
            "loop x",
            "set a",
            "nudge a inf",
            "{\"x\":1}",
            "go nowhere",
            "\u{1b}[2J",
        ] {
            let error = parse(line).expect_err(line);
            assert!(!error.contains('\n') && !error.contains('\u{1b}'), "{error}");
        }
    }
}
