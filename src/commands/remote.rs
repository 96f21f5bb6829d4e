//! `nmeasimx ctl` and `nmeasimx attach`: a session that runs elsewhere on this machine.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use nmeasimx::runtime::control::words::{self, Asked};
use nmeasimx::runtime::control::{self, Address};
use nmeasimx::runtime::session::{Command, Request, View, Watcher};
use nmeasimx::ui::model::Exit;

use super::screen;

/// How long an answer may take: a seek in a large log does.
const PATIENCE: Duration = Duration::from_secs(120);

/// What `ctl` is told.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = commands())]
pub struct Ctl {
    /// The socket (unix:PATH or tcp:127.0.0.1:PORT; default: the one session that runs), then a command
    #[arg(required = true, value_name = "[ADDRESS] COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// What `attach` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Attach {
    /// unix:PATH or tcp:127.0.0.1:PORT (default: the one session that runs)
    #[arg(value_name = "ADDRESS", value_parser = Address::parse)]
    address: Option<Address>,
    #[command(flatten)]
    screen: screen::Options,
}

fn commands() -> String {
    let line = |(name, form, about): &(&str, &str, &str)| format!("  {:<28}{about}\n", format!("{name} {form}"));
    format!("Commands:\n{}", words::COMMANDS.iter().map(line).collect::<String>())
}

/// Runs `ctl`.
pub fn ctl(args: &Ctl) -> ExitCode {
    on_a_runtime(async {
        let (address, words) = match args.words.split_first() {
            Some((first, rest)) if first.starts_with("unix:") || first.starts_with("tcp:") => {
                (Address::parse(first)?, rest)
            }
            _ => (Address::only().await?, &args.words[..]),
        };
        let asked = words::parse(&words.join(" "))?;
        let mut watcher = control::connect(&address).await.map_err(|e| format!("{address}: {e}"))?;
        let mut out = std::io::stdout();
        let text = match asked {
            Asked::Status => {
                ask(&mut watcher, Command::View(Box::new(View { outputs: true, ..View::default() }))).await?;
                let newest = watcher.snapshots.wait_for(|s| s.seq > 0);
                let newest = tokio::time::timeout(PATIENCE, newest).await;
                let newest = newest.map_err(|_| "no answer")?.map_err(|_| "the session has ended")?;
                serde_json::to_string(&**newest).map_err(|e| e.to_string())?
            }
            Asked::Command(command) => match ask(&mut watcher, command).await? {
                serde_json::Value::Null => return Ok(0),
                serde_json::Value::String(text) => text,
                value => value.to_string(),
            },
        };
        writeln!(out, "{text}").map_err(|e| format!("standard output: {e}"))?;
        Ok(0)
    })
}

async fn ask(watcher: &mut Watcher, command: Command) -> Result<serde_json::Value, String> {
    let ends = command == Command::Quit;
    let sent = watcher.requests.send(Request { id: 1, command }).await;
    sent.map_err(|_| "the session has ended")?;
    loop {
        let answer = tokio::time::timeout(PATIENCE, watcher.answers.recv()).await;
        match answer.map_err(|_| "no answer: the session is stuck")? {
            Some(answer) if answer.id == 1 => return answer.result,
            Some(_) => {}
            None if ends => return Ok(serde_json::Value::Null),
            None => return Err("the session has ended".into()),
        }
    }
}

/// Runs `attach`.
pub fn attach(args: &Attach) -> ExitCode {
    on_a_runtime(async {
        if !screen::has_terminal() {
            return Err("standard output is no terminal: a screen needs one".into());
        }
        let address = match &args.address {
            Some(address) => address.clone(),
            None => Address::only().await?,
        };
        let watcher = control::connect(&address).await.map_err(|e| format!("{address}: {e}"))?;
        let exit = screen::show(watcher, &args.screen, true, None).await?;
        if exit == Exit::SessionEnded {
            super::complain(&mut std::io::stderr(), "the session has ended");
        }
        Ok(screen::status(&exit))
    })
}

fn on_a_runtime(work: impl Future<Output = Result<u8, String>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let done = match runtime {
        Ok(runtime) => {
            let done = runtime.block_on(work);
            runtime.shutdown_background();
            done
        }
        Err(error) => Err(format!("no runtime: {error}")),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            super::complain(&mut std::io::stderr(), &error);
            ExitCode::from(1)
        }
    }
}
