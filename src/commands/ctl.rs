//! `nmeasimx ctl`: drives a session that has `--control`, one command a call.

use std::io::Write;
use std::time::Duration;

use nmeasimx::core::visible;
use nmeasimx::runtime::control::words::{self, Asked};
use nmeasimx::runtime::control::{Address, connect};
use nmeasimx::runtime::session::{Command, Request, View, Watcher};

/// How long a session may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Arguments of `ctl`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address of the session (unix:PATH or tcp:127.0.0.1:PORT; default: the only one that runs), and a command; `help`
    /// lists the commands
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "[ADDRESS] COMMAND")]
    pub words: Vec<String>,
}

/// Carries it out; returns the exit status.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let named = args.words.first().is_some_and(|w| w.starts_with("unix:") || w.starts_with("tcp:"));
    let (address, command) = args.words.split_at(usize::from(named));
    let command = command.join(" ");
    if matches!(command.trim(), "" | "help") {
        return u8::from(help(out).is_err());
    }
    let asked = match words::parse(&command) {
        Ok(asked) => asked,
        Err(error) => return fail(err, &error, 2),
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(err, &format!("cannot start: {error}"), 1),
    };
    match runtime.block_on(ask(address.first().map(String::as_str), asked)) {
        Ok(serde_json::Value::Null) => 0,
        Ok(serde_json::Value::String(said)) => {
            let visible = said.lines().map(|line| visible::text(line.as_bytes()));
            u8::from(writeln!(out, "{}", visible.collect::<Vec<_>>().join("\n")).is_err())
        }
        Ok(value) => u8::from(writeln!(out, "{value}").is_err()),
        Err(error) => fail(err, &error, 1),
    }
}

fn fail(err: &mut dyn Write, error: &str, status: u8) -> u8 {
    super::complain(err, error);
    status
}

fn help(out: &mut dyn Write) -> std::io::Result<()> {
    for (name, arguments, what) in words::COMMANDS {
        writeln!(out, "{:<26} {what}", format!("{name} {arguments}"))?;
    }
    writeln!(out, "{:<26} the same as JSON (docs/control.md)", "{…}")
}

async fn ask(address: Option<&str>, asked: Asked) -> Result<serde_json::Value, String> {
    let address = match address {
        Some(text) => Address::parse(text)?,
        None => Address::only().await?,
    };
    let mut session = connect(&address).await.map_err(|error| format!("{address}: {error}"))?;
    let answer = tokio::time::timeout(PATIENCE, talk(&mut session, asked)).await;
    answer.unwrap_or_else(|_| Err(format!("{address}: no answer within {} s", PATIENCE.as_secs())))
}

async fn talk(session: &mut Watcher, asked: Asked) -> Result<serde_json::Value, String> {
    let gone = || "the session has ended".to_owned();
    let command = match asked {
        Asked::Command(command) => command,
        Asked::Status => {
            let view = View { outputs: true, ..View::default() };
            Command::View(Box::new(view))
        }
    };
    let (wants_status, quits) = (matches!(command, Command::View(_)), matches!(command, Command::Quit));
    session.requests.send(Request { id: 1, command }).await.map_err(|_| gone())?;
    let answer = loop {
        match session.answers.recv().await {
            Some(answer) if answer.id == 1 => break answer.result?,
            Some(_) => {}
            // A session that was told to end may be gone before it says so.
            None if quits => return Ok(serde_json::Value::Null),
            None => return Err(gone()),
        }
    };
    if !wants_status {
        return Ok(answer);
    }
    session.snapshots.changed().await.map_err(|_| gone())?;
    let newest = session.snapshots.borrow_and_update().clone();
    serde_json::to_value(&*newest).map_err(|error| error.to_string())
}
