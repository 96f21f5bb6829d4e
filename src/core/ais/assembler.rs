//! Joins the parts of AIS messages: in any order, interleaved, from several inputs at once; what stays incomplete is counted.
//!
//! Bounded in number and in time. Decodes nothing.

use super::armour::Bits;
use super::sentence::Part;
use crate::core::frame::Origin;
use crate::core::time::{Offset, SECOND};

/// Messages under way at once; then the oldest is given up. A receiver has ten identifiers on each of two channels.
pub const MOST_OPEN: usize = 64;
/// Longest time between the first and the last part of a message, in the source's time. Identifiers return after ten
/// messages, in busy waters a few seconds, so that a longer wait would join parts of different messages.
pub const PATIENCE: Offset = 5 * SECOND;

/// A whole message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// What it says.
    pub bits: Bits,
    /// Said by VDO: the own ship.
    pub own: bool,
    /// `A`, `B`, where it is said.
    pub channel: Option<u8>,
    /// How many sentences it took.
    pub parts: u8,
    /// The numbers that whoever heard them gave them, in the order of the parts; none for a message of one sentence.
    pub places: Vec<usize>,
}

/// What a part led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The message is whole.
    Complete(Assembled),
    /// Parts are still missing, or this one was there already.
    Waiting,
    /// Its payload cannot be read; it counts as bad.
    Bad,
}

/// Joins parts.
#[derive(Clone, Debug, Default)]
pub struct Assembler {
    open: Vec<Open>,
    /// Messages of several sentences that became whole.
    pub joined: u64,
    /// Messages of several sentences of which some never came.
    pub incomplete: u64,
    /// Sentences whose payload could not be read.
    pub bad: u64,
}

#[derive(Clone, Debug)]
struct Open {
    key: Key,
    channel: Option<u8>,
    since: Offset,
    parts: [Option<(Vec<u8>, u8, usize)>; 9],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    origin: Origin,
    talker: [u8; 2],
    own: bool,
    sequence: Option<u8>,
    total: u8,
}

impl Assembler {
    /// Nothing under way.
    pub fn new() -> Assembler {
        Assembler::default()
    }

    /// Takes the next sentence, heard at `at` of the source's time.
    pub fn hear(&mut self, part: &Part<'_>, at: Offset, origin: Origin) -> Outcome {
        self.hear_from(part, at, origin, 0)
    }

    /// The same; the message will say by `number` which sentences it was made of.
    pub fn hear_from(&mut self, part: &Part<'_>, at: Offset, origin: Origin, number: usize) -> Outcome {
        self.expire(at);
        if part.total == 1 {
            let mut bits = Bits::new();
            return self.outcome(bits.push_armoured(part.payload, part.fill).map(|()| Assembled {
                bits,
                own: part.own,
                channel: part.channel,
                parts: 1,
                places: Vec::new(),
            }));
        }
        if Bits::new().push_armoured(part.payload, part.fill).is_err() {
            self.bad += 1;
            return Outcome::Bad;
        }
        let mut talker = [0; 2];
        for (to, from) in talker.iter_mut().zip(part.talker) {
            *to = *from;
        }
        let key = Key { origin, talker, own: part.own, sequence: part.sequence, total: part.total };
        // Some receivers leave the channel away after the first part.
        let same =
            |o: &Open| o.key == key && (o.channel == part.channel || o.channel.is_none() || part.channel.is_none());
        let place = usize::from(part.number - 1);
        let mut found = self.open.iter().position(same);
        if let Some(i) = found
            && let Some((payload, ..)) = &self.open[i].parts[place]
        {
            if payload == part.payload {
                return Outcome::Waiting;
            }
            // The identifier came round again: the old message will never be whole.
            self.open.remove(i);
            self.incomplete += 1;
            found = None;
        }
        let i = found.unwrap_or_else(|| {
            if self.open.len() >= MOST_OPEN {
                self.open.remove(0);
                self.incomplete += 1;
            }
            self.open.push(Open { key, channel: part.channel, since: at, parts: Default::default() });
            self.open.len() - 1
        });
        let open = &mut self.open[i];
        open.parts[place] = Some((part.payload.to_vec(), part.fill, number));
        open.channel = open.channel.or(part.channel);
        if open.parts.iter().flatten().count() < usize::from(part.total) {
            return Outcome::Waiting;
        }
        let whole = self.open.remove(i);
        let mut bits = Bits::new();
        let read = whole.parts.iter().flatten().try_for_each(|(payload, fill, _)| bits.push_armoured(payload, *fill));
        let places = whole.parts.iter().flatten().map(|(.., number)| *number).collect();
        self.joined += u64::from(read.is_ok());
        let (own, channel, parts) = (part.own, whole.channel, part.total);
        self.outcome(read.map(|()| Assembled { bits, own, channel, parts, places }))
    }

    /// The numbers of those that wait together with the sentence of this number for the rest of their message.
    pub fn waiting_with(&self, number: usize) -> Option<Vec<usize>> {
        let numbers = |o: &Open| o.parts.iter().flatten().map(|(.., number)| *number).collect::<Vec<_>>();
        self.open.iter().map(numbers).find(|all| all.contains(&number))
    }

    /// Gives up, and counts, what waits since too long before `at`; and everything when time went backwards (a seek).
    pub fn expire(&mut self, at: Offset) {
        let before = self.open.len();
        self.open.retain(|o| (0..=PATIENCE).contains(&at.saturating_sub(o.since)));
        self.incomplete += (before - self.open.len()) as u64;
    }

    /// The source has ended: what is still open stays incomplete.
    pub fn finish(&mut self) {
        self.incomplete += self.open.len() as u64;
        self.open.clear();
    }

    fn outcome<E>(&mut self, read: Result<Assembled, E>) -> Outcome {
        match read {
            Ok(whole) => Outcome::Complete(whole),
            Err(_) => {
                self.bad += 1;
                Outcome::Bad
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hear(a: &mut Assembler, text: &str, at: Offset, origin: Origin) -> Option<String> {
        match a.hear(&Part::parse(text.as_bytes()).unwrap(), at, origin) {
            Outcome::Complete(whole) => Some(String::from_utf8(whole.bits.armoured().0).unwrap()),
            _ => None,
        }
    }
    const S: Origin = Origin::Source;

    #[test]
    fn parts_come_in_any_order_and_interleaved() {
        let mut a = Assembler::new();
        assert_eq!(hear(&mut a, "!AIVDM,2,2,1,A,222,0*", 0, S), None);
        assert_eq!(hear(&mut a, "!AIVDM,3,1,2,A,aaa,0*", 0, S), None);
        assert_eq!(hear(&mut a, "!AIVDM,2,1,1,B,777,0*", 0, S), None); // same identifier, other channel
        assert_eq!(hear(&mut a, "!AIVDM,2,1,1,A,111,0*", SECOND, S).as_deref(), Some("111222"));
        assert_eq!(hear(&mut a, "!AIVDM,3,3,2,A,ccc,0*", SECOND, S), None);
        assert_eq!(hear(&mut a, "!BSVDM,3,2,2,A,bbb,0*", SECOND, S), None); // another talker
        assert_eq!(hear(&mut a, "!AIVDM,3,2,2,A,bbb,0*", SECOND, Origin::Input(3)), None); // another input
        assert_eq!(hear(&mut a, "!AIVDM,3,2,2,A,bbb,0*", SECOND, S).as_deref(), Some("aaabbbccc"));
        assert_eq!(hear(&mut a, "!AIVDM,2,2,1,,888,0*", SECOND, S).as_deref(), Some("777888")); // channel left away
        assert_eq!((a.joined, a.incomplete), (3, 0));
        a.finish();
        assert_eq!(a.incomplete, 2); // the strangers
    }

    #[test]
    fn what_never_becomes_whole_is_counted_once() {
        let mut a = Assembler::new();
        hear(&mut a, "!AIVDM,2,1,1,A,111,0*", 0, S);
        hear(&mut a, "!AIVDM,2,1,1,A,111,0*", SECOND, S); // the same sentence again is no new message
        assert_eq!(a.incomplete, 0);
        hear(&mut a, "!AIVDM,2,1,1,A,333,0*", SECOND, S); // the identifier came round
        assert_eq!(a.incomplete, 1);
        assert_eq!(hear(&mut a, "!AIVDM,2,2,1,A,444,0*", 6 * SECOND, S).as_deref(), Some("333444")); // 5 s: just in time
        hear(&mut a, "!AIVDM,2,1,2,A,555,0*", 6 * SECOND, S);
        assert_eq!(hear(&mut a, "!AIVDM,2,2,2,A,666,0*", 11 * SECOND + 1, S), None); // too late
        assert_eq!((a.joined, a.incomplete), (1, 2));
        a.expire(0); // back in time
        assert_eq!(a.incomplete, 3);
        assert_eq!(hear(&mut a, "!AIVDM,2,1,2,A,5X5,0*", 0, S), None);
        assert_eq!(a.bad, 1);
    }

    #[test]
    fn a_flood_of_first_parts_stays_bounded() {
        let mut a = Assembler::new();
        for i in 0..1000_u16 {
            hear(&mut a, "!AIVDM,2,1,1,A,111,0*", 0, Origin::Input(i));
        }
        assert_eq!((a.open.len(), a.incomplete), (MOST_OPEN, 1000 - MOST_OPEN as u64));
    }

    proptest! {
        #[test]
        fn any_shuffle_of_two_messages_gives_both(order in Just((0..7).collect::<Vec<usize>>()).prop_shuffle()) {
            let lines = ["!AIVDM,3,1,0,A,aa,0", "!AIVDM,3,2,0,A,bb,0", "!AIVDM,3,3,0,A,cc,0", "!AIVDM,4,1,1,A,11,0",
                "!AIVDM,4,2,1,A,22,0", "!AIVDM,4,3,1,A,33,0", "!AIVDM,4,4,1,A,44,2"];
            let mut a = Assembler::new();
            let mut got: Vec<_> = order.iter().filter_map(|i| hear(&mut a, lines[*i], 0, S)).collect();
            got.sort();
            prop_assert_eq!(got, ["11223344", "aabbcc"]);
            prop_assert_eq!(a.incomplete, 0);
        }
    }
}
