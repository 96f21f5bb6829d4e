//! Which baud rate, and which way round: found by listening, and proved by sentences with right checksums.
//!
//! Sets and reads a port that somebody else has opened.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_serial::{SerialPort, SerialStream};

use super::{Alone, Teller, What};
use crate::core::diag::bytes::{good_sentences, is_text, turned};
use crate::runtime::session::snapshot::{Link, Scan, Tried};

/// In the order in which they are likely on a boat.
pub(super) const RATES: [u32; 6] = [4800, 38_400, 9600, 115_200, 19_200, 57_600];
/// How long each rate is listened to: instruments speak once a second.
const LISTEN: Duration = Duration::from_millis(1500);
/// Rounds over all rates before it is said that none fits.
const ROUNDS: usize = 2;
/// Sentences with right checksums that prove a rate.
const PROOF: usize = 2;
/// Far more than any rate listed brings while it is listened to.
const MOST: usize = 64 << 10;

/// What was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) baud: u32,
    /// The two wires are swapped.
    pub(super) inverted: bool,
}

#[derive(Debug, PartialEq)]
pub(super) enum Search {
    Found(Found),
    /// No rate gave sentences.
    Nothing(String),
    /// The port is gone.
    Gone(String),
}

/// A port whose rate can be set.
pub(super) trait Tuned: AsyncRead + Unpin {
    /// Sets the rate, and forgets what was received at the one before.
    fn tune(&mut self, baud: u32) -> Result<(), String>;
}

impl Tuned for SerialStream {
    fn tune(&mut self, baud: u32) -> Result<(), String> {
        self.set_baud_rate(baud).map_err(|e| e.to_string())?;
        let _cannot = self.clear(tokio_serial::ClearBuffer::Input);
        Ok(())
    }
}

/// Listens at each rate until one is proved, and tells how far it is. `failed`: a search before found nothing.
pub(super) async fn find(port: &mut impl Tuned, teller: &mut Teller, failed: bool) -> Result<Search, Alone> {
    let steps = RATES.len() * ROUNDS;
    let mut scan = Scan { steps: steps as u16, failed, ..Scan::default() };
    let mut heard = 0;
    for (step, baud) in (1_u16..).zip(RATES.into_iter().cycle().take(steps)) {
        teller.state(Link::Opening, &format!("trying {baud} ({step} of {steps})"), None).await?;
        (scan.step, scan.baud) = (step, baud);
        if let Err(error) = port.tune(baud) {
            tracing::debug!("{baud} baud: {error}");
            continue;
        }
        let at = (usize::from(step) - 1) % RATES.len();
        scan.tried.resize(scan.tried.len().max(at + 1), Tried::default());
        scan.tried[at] = Tried { baud, ..Tried::default() };
        teller.tell(What::Scan(scan.clone())).await?;
        let mut bytes = Vec::new();
        let listen = tokio::time::sleep(LISTEN);
        tokio::pin!(listen);
        let found = loop {
            tokio::select! {
                () = &mut listen => break None,
                read = port.read_buf(&mut bytes) => match read {
                    Ok(0) => return Ok(Search::Gone("gone".into())),
                    Ok(_) => {}
                    Err(error) => return Ok(Search::Gone(error.to_string())),
                }
            }
            bytes.truncate(MOST);
            let (good, inverted) = proof(&bytes);
            let printable = bytes.iter().filter(|b| is_text(**b)).count() * 100 / bytes.len().max(1);
            scan.tried[at] =
                Tried { baud, bytes: bytes.len() as u64, printable: printable as u8, good: good.min(PROOF) as u16 };
            if good >= PROOF {
                break Some(Found { baud, inverted });
            }
            teller.tell(What::Scan(scan.clone())).await?;
        };
        if let Some(found) = found {
            (scan.step, scan.baud) = (0, 0);
            teller.tell(What::Scan(scan)).await?;
            return Ok(Search::Found(found));
        }
        heard += bytes.len();
    }
    Ok(Search::Nothing(if heard == 0 {
        "silent at every baud rate: is the talker on, is A on A and B on B".into()
    } else {
        format!("{heard} bytes, but no sentence at any baud rate")
    }))
}

/// How many good sentences the bytes hold, as they are or turned upright, whichever is more; and whether they are turned.
fn proof(bytes: &[u8]) -> (usize, bool) {
    let good = good_sentences(bytes);
    // Text that frames well on swapped wires has bytes that are odd and high (DIAGNOSIS, inverted polarity).
    let odd = bytes.iter().filter(|b| **b & 1 == 1).count();
    if good >= PROOF || odd * 2 < bytes.len() {
        return (good, false);
    }
    let swapped = good_sentences(&turned(bytes));
    if swapped > good { (swapped, true) } else { (good, false) }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::{Context, Poll};

    use tokio::io::{AsyncWriteExt, DuplexStream, ReadBuf};
    use tokio::sync::mpsc;

    use super::*;
    use crate::core::diag::bytes::upright;

    const TWO: &[u8] = b"$SDDPT,12.4,0.5,*49\r\n$HEHDT,45.0,T*1E\r\n";

    /// As an inverted line is read: the start bit of the frame is the last stop or idle bit; its bit i is the complement of
    /// bit i - 1.
    fn swapped(text: &[u8]) -> Vec<u8> {
        text.iter().map(|b| !(b << 1)).collect()
    }

    #[test]
    fn two_good_sentences_are_proof_and_one_is_not() {
        assert_eq!(proof(TWO), (2, false));
        assert_eq!(proof(&TWO[..22]), (1, false));
        assert_eq!(proof(b""), (0, false));
        assert_eq!(proof(b"$SDDPT,12.4,0.5,*48\r\n$HEHDT,45.0,T*1F\r\n"), (0, false));
    }

    #[test]
    fn swapped_wires_are_proved_by_reading_them() {
        let wire = swapped(TWO);
        assert!(wire.iter().all(|b| b & 1 == 1));
        assert_eq!(proof(&wire), (2, true));
        assert_eq!(wire.iter().map(|b| upright(*b)).collect::<Vec<_>>(), TWO);
    }

    /// A port in the time of a test, and the rate that it is set to.
    struct Port(DuplexStream, Arc<AtomicU32>);

    impl AsyncRead for Port {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            into: &mut ReadBuf<'_>,
        ) -> Poll<std::io::Result<()>> {
            Pin::new(&mut self.0).poll_read(context, into)
        }
    }

    impl Tuned for Port {
        fn tune(&mut self, baud: u32) -> Result<(), String> {
            self.1.store(baud, Ordering::Relaxed);
            Ok(())
        }
    }

    /// A talker at `true_baud` that says one sentence each `ms`; at other rates it is not understood.
    async fn search(true_baud: u32, ms: u64, turn: bool) -> (Search, Vec<Scan>) {
        let (mut wire, end) = tokio::io::duplex(1 << 16);
        let set = Arc::new(AtomicU32::new(0));
        let at = set.clone();
        tokio::spawn(async move {
            for i in 0_u64.. {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                let line = if i % 2 == 0 { &TWO[..21] } else { &TWO[21..] };
                let line = if turn { swapped(line) } else { line.to_vec() };
                let right = at.load(Ordering::Relaxed) == true_baud;
                let heard = if right { line } else { line.iter().map(|b| b ^ 0x95).collect() };
                if wire.write_all(&heard).await.is_err() {
                    return;
                }
            }
        });
        let (to, mut news) = mpsc::channel(1000);
        let mut teller = Teller { input: 0, to, last: None };
        let found = find(&mut Port(end, set), &mut teller, false).await.unwrap();
        drop(teller);
        let mut scans = Vec::new();
        while let Some(news) = news.recv().await {
            if let What::Scan(scan) = news.what {
                scans.push(scan);
            }
        }
        (found, scans)
    }

    #[tokio::test(start_paused = true)]
    async fn every_rate_is_found_and_its_way_there_is_told() {
        for (n, baud) in (1_u16..).zip(RATES) {
            let begin = crate::runtime::clock::now();
            let (found, scans) = search(baud, 500, false).await;
            assert_eq!(found, Search::Found(Found { baud, inverted: false }));
            // A second and a half for each rate before it, and two sentences.
            let took = begin.elapsed().as_millis() as u64;
            assert!((u64::from(n - 1) * 1500..u64::from(n) * 1500).contains(&took), "{baud}: {took} ms");
            let steps: Vec<u16> = scans.iter().map(|s| s.step).collect();
            assert!(steps.contains(&n) && steps.is_sorted_by(|a, b| a <= b || *b == 0), "{steps:?}");
            let last = scans.last().unwrap();
            assert_eq!((last.step, last.steps, last.tried.len()), (0, 12, usize::from(n)));
            let tried = last.tried.last().unwrap();
            assert_eq!((tried.baud, tried.good, tried.printable), (baud, 2, 100));
            assert!(last.tried.iter().rev().skip(1).all(|t| t.good == 0 && t.bytes > 0), "{last:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_talker_on_swapped_wires_is_found_as_well() {
        assert_eq!(search(9600, 500, true).await.0, Search::Found(Found { baud: 9600, inverted: true }));
    }

    #[tokio::test(start_paused = true)]
    async fn after_two_rounds_it_is_said_that_no_rate_fits() {
        let begin = crate::runtime::clock::now();
        let (found, scans) = search(1200, 500, false).await;
        assert!(matches!(&found, Search::Nothing(why) if why.contains("no sentence at any baud rate")), "{found:?}");
        assert_eq!(begin.elapsed().as_millis(), 12 * 1500);
        assert_eq!(scans.last().map(|s| (s.step, s.tried.len())), Some((12, 6)));
        // A silent line has another cure than a wrong rate.
        let (found, _) = search(1200, 3_600_000, false).await;
        assert!(matches!(&found, Search::Nothing(why) if why.starts_with("silent")), "{found:?}");
    }
}
