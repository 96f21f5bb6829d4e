//! Short names given numbers in the order of their appearance, quickly and at most so many: sentence types, TAG sources.

use std::collections::HashMap;

/// Longer names are told apart by their first bytes only.
const LONGEST: usize = 64;
const SLOTS: usize = 128;

/// Numbers for names.
#[derive(Clone, Debug)]
pub struct Names {
    most: usize,
    list: Vec<Box<[u8]>>,
    map: HashMap<Box<[u8]>, u32>,
    /// The last name seen in each slot, of those that fit 15 bytes; slot by a multiplicative hash.
    recent: Vec<(u128, u32)>,
}

impl Names {
    /// For at most `most` names.
    pub fn new(most: usize) -> Names {
        Names { most, list: Vec::new(), map: HashMap::new(), recent: vec![(0, 0); SLOTS] }
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
    pub fn number(&mut self, name: &[u8]) -> Option<u32> {
        let packed = pack(name);
        if let Some((packed, slot)) = packed
            && self.recent[slot].0 == packed
        {
            return Some(self.recent[slot].1);
        }
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
        if let Some((packed, slot)) = packed {
            self.recent[slot] = (packed, number);
        }
        Some(number)
    }

    /// The number of a known name.
    pub fn known(&self, name: &[u8]) -> Option<u32> {
        self.map.get(&name[..name.len().min(LONGEST)]).copied()
    }
}

fn pack(name: &[u8]) -> Option<(u128, usize)> {
    let mut bytes = [0; 16];
    bytes[..15].get_mut(..name.len())?.copy_from_slice(name);
    bytes[15] = name.len() as u8 + 1;
    let packed = u128::from_le_bytes(bytes);
    let folded = (packed as u64) ^ (packed >> 64) as u64;
    let slot = (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57) as usize;
    Some((packed, slot))
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
