//! Random numbers that are the same everywhere: xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64 from a seed
//! and a name, and single draws that depend on nothing but their own coordinates.
//!
//! Must not know what it is drawn for.

/// A stream of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    s: [u64; 4],
}

impl Stream {
    /// The stream of a seed with this name: one more stream shifts no other.
    pub fn new(seed: u64, name: &str) -> Stream {
        let mut state = seed ^ fnv(name.as_bytes());
        Stream { s: std::array::from_fn(|_| splitmix(&mut state)) }
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        let s = &mut self.s;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// -1 <= x < 1, evenly.
    pub fn signed(&mut self) -> f64 {
        unit(self.next()) * 2.0 - 1.0
    }
}

/// 0 <= x < 1 from random bits.
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Random bits that belong to a point and not to an order: left out or added draws change no other.
pub fn draw(seed: u64, what: &str, at: i64, n: u64) -> u64 {
    let mut state = seed ^ fnv(what.as_bytes());
    let mut bits = splitmix(&mut state);
    for part in [at.unsigned_abs(), n] {
        state ^= part.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ bits;
        bits = splitmix(&mut state);
    }
    bits
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// FNV-1a, 64 bits.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generators_are_the_published_ones() {
        // splitmix64.c by S. Vigna with x = 1234567; FNV-1a 64 of "a" and "foobar" by its authors.
        let mut x = 1_234_567;
        assert_eq!([splitmix(&mut x), splitmix(&mut x)], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        assert_eq!((fnv(b"a"), fnv(b"foobar")), (0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8));
        // xoshiro256** from the state 1, 2, 3, 4: rotl(2 * 5, 7) * 9 = 11520; then s1 is 0: 0; then 1509978240.
        let mut s = Stream { s: [1, 2, 3, 4] };
        assert_eq!([s.next(), s.next(), s.next()], [11_520, 0, 1_509_978_240]);
    }

    #[test]
    fn streams_and_draws_are_apart_and_even() {
        let mean = |f: &mut dyn FnMut() -> f64| (0..20_000).map(|_| f()).sum::<f64>() / 20_000.0;
        let (mut a, mut b) = (Stream::new(1, "heading"), Stream::new(1, "speed"));
        assert_ne!(a.next(), b.next());
        assert!(mean(&mut || a.signed()).abs() < 0.02);
        let mut n = 0;
        let even = mean(&mut || {
            n += 1;
            unit(draw(7, "checksum", n, 0))
        });
        assert!((even - 0.5).abs() < 0.01, "{even}");
        assert_ne!(draw(7, "a", 1, 0), draw(7, "a", 0, 1));
    }
}
