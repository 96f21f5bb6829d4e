//! `nmeasimx loopback`: sends the simulation on one wire, listens on another, says what was lost, altered, late.

use std::io::Write;

use nmeasimx::core::input::InputSpec;
use nmeasimx::core::output::OutputSpec;
use nmeasimx::core::sim::Simulation;
use nmeasimx::core::time::SECOND;
use nmeasimx::core::wire_check::{LATE_AFTER, WireResult};
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
    let percent = r.right as f64 * 100.0 / r.sent.max(1) as f64;
    let mut text = format!(
        "sent {}, heard right {} ({percent:.1} %), lost {}, altered {}, late {}, foreign {}\n",
        r.sent, r.right, r.lost, r.altered, r.late, r.foreign
    );
    if r.right > 0 {
        text += &format!(
            "delay: median {:.1} ms, 99 % within {:.1} ms, longest {:.1} ms\n",
            r.delay_median_ms, r.delay_p99_ms, r.delay_max_ms
        );
    }
    for (sent, heard) in &r.examples {
        text += &format!("sent  {sent}\nheard {heard}\n");
    }
    if r.is_clean() {
        text += "the wire is good\n";
        return text;
    }
    text += "the wire is not good\n";
    if r.sent == 0 {
        text += "nothing was sent: give it more time (--duration), or enable sentences\n";
    } else if r.right == 0 && r.altered == 0 {
        text +=
            "nothing came through: are the two ends joined, is the input the right one, have both the same settings?\n";
    } else {
        let late = LATE_AFTER as f64 / SECOND as f64;
        for (n, what) in [
            (r.altered, "altered: wiring, ground, or a baud rate that is a little off".to_owned()),
            (r.lost, "lost: the line carries no more, or something on the way drops sentences".to_owned()),
            (r.late, format!("late (by more than {late} s): a buffer on the way fills")),
        ] {
            if n > 0 {
                text += &format!("{what}\n");
            }
        }
    }
    if r.foreign > 0 {
        text += "foreign: somebody else talks on this line, or it comes twice\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_says_what_to_look_for() {
        let good = WireResult { sent: 80, right: 80, delay_median_ms: 48.3, ..WireResult::default() };
        assert!(text(&good).starts_with("sent 80, heard right 80 (100.0 %), lost 0"), "{}", text(&good));
        assert!(text(&good).ends_with("the wire is good\n") && text(&good).contains("median 48.3 ms"));
        let dead = WireResult { sent: 80, lost: 80, ..WireResult::default() };
        assert!(text(&dead).contains("nothing came through") && !text(&dead).contains("delay"), "{}", text(&dead));
        let noisy = WireResult { sent: 80, right: 70, altered: 9, lost: 1, foreign: 2, ..WireResult::default() };
        let said = text(&noisy);
        assert!(
            ["(87.5 %)", "altered: wiring", "lost: the line", "foreign: somebody"].iter().all(|w| said.contains(w))
        );
        assert!(!said.contains("late (by"), "{said}");
    }
}
