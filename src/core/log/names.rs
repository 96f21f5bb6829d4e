//! Short names given numbers in the order of their appearance, quickly and at most so many: sentence types, TAG sources.

use std::collections::HashMap;

/// Longer names are told apart by their first bytes only.
const LONGEST: usize = 64;
const SLOTS: usize = 256;

/// Numbers for names.
#[derive(Clone, Debug)]
pub struct Names {
    most: usize,
    list: Vec<Box<[u8]>>,
    map: HashMap<Box<[u8]>, u32>,
    /// Names of at most seven bytes, packed, two to a slot: the one seen last stands first.
    recent: Box<[[(u64, u32); 2]; SLOTS]>,
}

impl Names {
    /// For at most `most` names.
    pub fn new(most: usize) -> Names {
        Names { most, list: Vec::new(), map: HashMap::new(), recent: Box::new([[(0, 0); 2]; SLOTS]) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// None yet.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The names by number.
    pub fn list(&self) -> &[Box<[u8]>] {
        &self.list
    }

    /// The number of a name, a new one if need be. `None`: there are too many.
    #[inline]
    pub fn number(&mut self, name: &[u8]) -> Option<u32> {
        let packed = pack(name);
        if packed != 0 {
            let slot = &mut self.recent[slot(packed)];
            if slot[0].0 == packed {
                return Some(slot[0].1);
            }
            if slot[1].0 == packed {
                slot.swap(0, 1);
                return Some(slot[0].1);
            }
        }
        self.look_up(name, packed)
    }

    fn look_up(&mut self, name: &[u8], packed: u64) -> Option<u32> {
        let name = &name[..name.len().min(LONGEST)];
        let number = match self.map.get(name) {
            Some(number) => *number,
            None if self.list.len() < self.most => {
                let number = self.list.len() as u32;
                self.list.push(name.into());
                self.map.insert(name.into(), number);
                number
            }
            None => return None,
        };
        if packed != 0 {
            let slot = &mut self.recent[slot(packed)];
            slot[1] = slot[0];
            slot[0] = (packed, number);
        }
        Some(number)
    }

    /// The number of a known name.
    pub fn known(&self, name: &[u8]) -> Option<u32> {
        self.map.get(&name[..name.len().min(LONGEST)]).copied()
    }
}

/// A name of one to seven bytes and its length in one number; 0 for any other.
#[inline]
fn pack(name: &[u8]) -> u64 {
    match name {
        // Talker and formatter: nearly all there is.
        [a, b, c, d, e] => u64::from_le_bytes([*a, *b, *c, *d, *e, 0, 0, 5]),
        [] => 0,
        _ if name.len() <= 7 => {
            let mut bytes = [0; 8];
            bytes[..name.len()].copy_from_slice(name);
            bytes[7] = name.len() as u8;
            u64::from_le_bytes(bytes)
        }
        _ => 0,
    }
}

fn slot(packed: u64) -> usize {
    (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_order_of_appearance_up_to_a_cap() {
        let mut names = Names::new(300);
        for round in 0..2 {
            for i in 0..400u32 {
                let name = format!("N{i}");
                let expected = (i < 300).then_some(i);
                assert_eq!(names.number(name.as_bytes()), expected, "round {round}");
                assert_eq!(names.known(name.as_bytes()), expected);
            }
        }
        assert_eq!((names.len(), &*names.list()[299]), (300, &b"N299"[..]));
    }

    #[test]
    fn names_of_any_length_and_bytes_are_told_apart() {
        let mut names = Names::new(10);
        let long = [b'x'; 70];
        for (i, name) in
            [&b""[..], b"\0", b"\0\0", b"123456789012345", b"1234567890123456", &long[..64]].iter().enumerate()
        {
            assert_eq!(names.number(name), Some(i as u32));
        }
        assert_eq!(names.number(&long), Some(5), "cut to 64 bytes");
    }
}
