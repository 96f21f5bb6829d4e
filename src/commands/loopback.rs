//! `nmeasimx loopback`: sends the simulation on one wire, listens on another, says what was lost, altered, late.

use std::io::Write;

use nmeasimx::core::input::InputSpec;
use nmeasimx::core::output::OutputSpec;
use nmeasimx::core::sim::Simulation;
use nmeasimx::core::time::SECOND;
use nmeasimx::core::wire_check::WireResult;
use nmeasimx::runtime::clock::Clock;
use nmeasimx::runtime::loopback;
use nmeasimx::runtime::signals::Signals;
use tokio_util::sync::CancellationToken;

use super::session::Simulated;

/// What `loopback` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where to send, as with -o
    #[arg(long = "out", value_name = "SPEC", value_parser = OutputSpec::parse)]
    output: OutputSpec,
    /// Where to listen: serial:DEVICE[@BAUD] tcp:HOST:PORT udp:[ADDR:]PORT
    #[arg(long = "in", value_name = "SOURCE", value_parser = InputSpec::parse)]
    input: InputSpec,
    /// How long to send
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = super::logs::seconds)]
    duration: f64,
    /// The result as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    simulated: Simulated,
}

/// Runs the command; the exit status: 4 when something was lost, altered or late.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let profile = match args.simulated.read() {
        Ok((profile, _)) => profile,
        Err(error) => {
            super::complain(err, &error);
            return 2;
        }
    };
    let done = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let result = done.map_err(|e| format!("no runtime: {e}")).and_then(|runtime| {
        let result = runtime.block_on(async {
            let clock = Clock::system();
            let stop = CancellationToken::new();
            let ends = stop.clone();
            let mut signals = Signals::new().map_err(|e| format!("signals: {e}"))?;
            tokio::spawn(async move {
                signals.next().await;
                ends.cancel();
            });
            let source = Box::new(Simulation::new(profile, clock.utc()));
            let duration = (args.duration * SECOND as f64) as i64;
            loopback::run(source, args.output.clone(), args.input.clone(), duration, clock, stop).await
        });
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(result) => {
            let text =
                if args.json { serde_json::to_string(&result).unwrap_or_default() + "\n" } else { text(&result) };
            match (out.write_all(text.as_bytes()), result.is_clean()) {
                (Err(_), _) => 1,
                (Ok(()), true) => 0,
                (Ok(()), false) => 4,
            }
        }
        Err(error) => {
            super::complain(err, &error);
            1
        }
    }
}

fn text(r: &WireResult) -> String {
    let mut text = format!(
        "sent {}, heard right {}, lost {}, altered {}, late {}, foreign {}\n\
         delay: median {:.1} ms, 99 % within {:.1} ms, longest {:.1} ms\n",
        r.sent, r.right, r.lost, r.altered, r.late, r.foreign, r.delay_median_ms, r.delay_p99_ms, r.delay_max_ms
    );
    for (sent, heard) in &r.examples {
        text += &format!("sent  {sent}\nheard {heard}\n");
    }
    text += if r.is_clean() { "the wire is good\n" } else { "the wire is not good\n" };
    text
}
