//! Maritime mobile service identities: what nine digits say (ITU-R M.585-8).

/// Whose identity it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// MID and six digits: a ship.
    Ship,
    /// 00, MID: a coast or base station.
    Coast,
    /// 0, MID: a group of ships.
    Group,
    /// 111, MID: a search and rescue aircraft.
    Aircraft,
    /// 99, MID: an aid to navigation.
    Aid,
    /// 98, MID: a craft of a mother ship.
    Auxiliary,
    /// 970, 972, 974: search and rescue transmitter, man over board, EPIRB.
    Distress,
    /// 8, MID: a handheld radio.
    Handheld,
    /// None of these.
    Other,
}

/// Whose identity it is, by its first digits.
pub fn kind(mmsi: u32) -> Kind {
    let country = |digits: u32| (200..=775).contains(&digits);
    match mmsi {
        1_000_000..=9_999_999 if country(mmsi / 10_000) => Kind::Coast,
        10_000_000..=99_999_999 if country(mmsi / 100_000) => Kind::Group,
        111_000_000..=111_999_999 => Kind::Aircraft,
        200_000_000..=775_999_999 => Kind::Ship,
        800_000_000..=899_999_999 => Kind::Handheld,
        970_000_000..=970_999_999 | 972_000_000..=972_999_999 | 974_000_000..=974_999_999 => Kind::Distress,
        980_000_000..=989_999_999 => Kind::Auxiliary,
        990_000_000..=999_999_999 => Kind::Aid,
        _ => Kind::Other,
    }
}

/// A number that a ship of ours may have: nine digits, and a MID of 200 to 775 where it is a ship. 200 is unassigned and
/// good for tests.
pub fn may_send(mmsi: u32) -> bool {
    matches!(kind(mmsi), Kind::Ship | Kind::Aircraft | Kind::Auxiliary | Kind::Aid | Kind::Distress | Kind::Handheld)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_digits_tell_whose_it_is() {
        // M.585-8: examples made of its formats with MID 237.
        let table = [
            (237_123_456, Kind::Ship),
            (2_371_234, Kind::Coast),
            (23_712_345, Kind::Group),
            (111_237_123, Kind::Aircraft),
            (992_371_234, Kind::Aid),
            (982_371_234, Kind::Auxiliary),
            (972_371_234, Kind::Distress),
            (0, Kind::Other),
            (199_999_999, Kind::Other),
            (776_000_000, Kind::Other),
            (1_234_567_890, Kind::Other),
        ];
        for (mmsi, whose) in table {
            assert_eq!(kind(mmsi), whose, "{mmsi}");
        }
        assert!(may_send(200_000_001) && !may_send(0) && !may_send(2_371_234) && !may_send(776_000_000));
    }
}
