//! What comes back on an output (autopilots answer): drained, cut into lines, counted, passed on if somebody has time.

use bytes::Bytes;
use tokio::sync::mpsc;

/// Longer lines are cut.
const LONGEST: usize = 1024;

/// Cuts what comes back into lines.
pub struct Replies {
    n: u16,
    line: Vec<u8>,
    out: mpsc::Sender<(u16, Bytes)>,
}

impl Replies {
    /// Of the n-th output.
    pub fn new(n: u16, out: mpsc::Sender<(u16, Bytes)>) -> Replies {
        Replies { n, line: Vec::new(), out }
    }

    /// Takes what was read; returns how many lines ended in it.
    pub fn push(&mut self, bytes: &[u8]) -> u64 {
        let mut lines = 0;
        for b in bytes {
            match b {
                b'\r' | b'\n' if self.line.is_empty() => {}
                b'\r' | b'\n' => lines += self.end(),
                b => {
                    self.line.push(*b);
                    if self.line.len() == LONGEST {
                        lines += self.end();
                    }
                }
            }
        }
        lines
    }

    fn end(&mut self) -> u64 {
        let line = Bytes::from(std::mem::take(&mut self.line));
        // Nobody has time for it: it is counted all the same.
        let _shown = self.out.try_send((self.n, line));
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_however_they_arrive() {
        let (out, mut shown) = mpsc::channel(1);
        let mut replies = Replies::new(3, out);
        assert_eq!(replies.push(b"$PSMDOV,1*2"), 0);
        assert_eq!(replies.push(b"1\r\n\r\n$PSMDOV,2*22\r"), 2);
        assert_eq!(replies.push(&[b'x'; 3000]), 2); // noise without an end is cut
        assert_eq!(shown.try_recv().unwrap(), (3, Bytes::from_static(b"$PSMDOV,1*21")));
        assert!(shown.try_recv().is_err(), "the second had no room and was only counted");
    }
}
