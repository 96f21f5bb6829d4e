//! `nmeasimx attach`: the screen of a session that runs elsewhere on this machine; leaving it stops nothing.

use nmeasimx::runtime::control::{self, Address};
use nmeasimx::ui::model::Exit;

use super::screen;

/// What `attach` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// unix:PATH or tcp:127.0.0.1:PORT (default: the one session that runs)
    #[arg(value_name = "ADDRESS", value_parser = Address::parse)]
    address: Option<Address>,
    #[command(flatten)]
    screen: screen::Options,
}

/// Runs the command; the exit status.
pub fn run(args: &Args) -> u8 {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("no runtime: {error}")),
    };
    let done = runtime.block_on(attach(args));
    runtime.shutdown_background();
    done.unwrap_or_else(|error| fail(&error))
}

fn fail(error: &str) -> u8 {
    super::complain(&mut std::io::stderr(), error);
    1
}

async fn attach(args: &Args) -> Result<u8, String> {
    if !screen::has_terminal() {
        super::complain(&mut std::io::stderr(), "standard output is no terminal: a screen needs one");
        return Ok(2);
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
}
