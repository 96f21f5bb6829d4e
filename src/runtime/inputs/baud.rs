//! Which baud rate, and which way round: found by listening, and proved by sentences with right checksums.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio_serial::{SerialPort, SerialStream};

use super::{Alone, Teller};
use crate::core::frame::Class;
use crate::core::log::piece::{Finder, Rules};
use crate::runtime::session::snapshot::Link;

/// In the order in which they are likely on a boat.
pub(super) const RATES: [u32; 6] = [4800, 38_400, 9600, 115_200, 19_200, 57_600];
/// How long each rate is listened to: instruments speak once a second.
const LISTEN: Duration = Duration::from_millis(1500);
/// Rounds over all rates before it is said that none fits.
const ROUNDS: usize = 2;
/// Sentences with right checksums that prove a rate.
const PROOF: usize = 2;

/// What was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) baud: u32,
    /// The two wires are swapped.
    pub(super) inverted: bool,
}

pub(super) enum Search {
    Found(Found),
    /// No rate gave sentences.
    Nothing(String),
    /// The port is gone.
    Gone(String),
}

/// Listens at each rate until one is proved.
pub(super) async fn find(port: &mut SerialStream, teller: &Teller) -> Result<Search, Alone> {
    let mut teller = teller.clone();
    let mut heard = 0;
    for baud in RATES.into_iter().cycle().take(RATES.len() * ROUNDS) {
        teller.state(Link::Opening, &format!("trying {baud}"), None).await?;
        if let Err(error) = port.set_baud_rate(baud) {
            tracing::debug!("{baud} baud: {error}");
            continue;
        }
        let _cannot = port.clear(tokio_serial::ClearBuffer::Input);
        let mut bytes = Vec::new();
        let listen = tokio::time::sleep(LISTEN);
        tokio::pin!(listen);
        loop {
            tokio::select! {
                () = &mut listen => break,
                read = port.read_buf(&mut bytes) => match read {
                    Ok(0) => return Ok(Search::Gone("gone".into())),
                    Ok(_) => {}
                    Err(error) => return Ok(Search::Gone(error.to_string())),
                }
            }
            // Far more than a second and a half of any rate listed.
            bytes.truncate(64 << 10);
            if let Some(inverted) = proof(&bytes) {
                return Ok(Search::Found(Found { baud, inverted }));
            }
        }
        heard += bytes.len();
    }
    Ok(Search::Nothing(if heard == 0 {
        "silent at every baud rate: is the talker on, is A on A and B on B".into()
    } else {
        format!("{heard} bytes, but no sentence at any baud rate")
    }))
}

/// Whether the bytes hold sentences: as they are (`false`), or turned upright (`true`).
fn proof(bytes: &[u8]) -> Option<bool> {
    if good(bytes) >= PROOF {
        return Some(false);
    }
    // Text that frames well on swapped wires has bytes that are odd and high (DIAGNOSIS, inverted polarity).
    let odd = bytes.iter().filter(|b| **b & 1 == 1).count();
    if odd * 2 < bytes.len() {
        return None;
    }
    let turned: Vec<u8> = bytes.iter().map(|b| upright(*b)).collect();
    (good(&turned) >= PROOF).then_some(true)
}

/// What was sent, from what 8N1 makes of it on swapped wires: every bit inverted, and the frame one bit late.
pub(super) fn upright(byte: u8) -> u8 {
    (!byte >> 1) & 0x7F
}

/// Sentences with a right checksum.
fn good(bytes: &[u8]) -> usize {
    let mut finder = Finder::default();
    let mut good = 0;
    for line in bytes.split(|b| matches!(b, b'\r' | b'\n')) {
        finder.read(line, Rules::default());
        good += finder.pieces().iter().filter(|piece| piece.class == Class::Sentence).count();
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[u8] = b"$SDDPT,12.4,0.5,*49\r\n$HEHDT,45.0,T*1E\r\n";

    #[test]
    fn two_good_sentences_are_proof_and_one_is_not() {
        assert_eq!(proof(TWO), Some(false));
        assert_eq!(proof(&TWO[..22]), None);
        assert_eq!(proof(b""), None);
        assert_eq!(proof(b"$SDDPT,12.4,0.5,*48\r\n$HEHDT,45.0,T*1F\r\n"), None);
    }

    #[test]
    fn swapped_wires_are_proved_by_reading_them() {
        // The start bit of the inverted frame is the last stop or idle bit; its bit i is the complement of bit i - 1.
        let wire: Vec<u8> = TWO.iter().map(|b| !(b << 1)).collect();
        assert!(wire.iter().all(|b| b & 1 == 1));
        assert_eq!(proof(&wire), Some(true));
        assert_eq!(wire.iter().map(|b| upright(*b)).collect::<Vec<_>>(), TWO);
    }
}
