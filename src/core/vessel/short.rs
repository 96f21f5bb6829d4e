//! Arrays of fixed size where they are written: what is empty at their end is left out.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub fn serialize<T, S, const N: usize>(all: &[T; N], to: S) -> Result<S::Ok, S::Error>
where
    T: Serialize + Default + PartialEq,
    S: Serializer,
{
    let empty = T::default();
    let used = all.iter().rposition(|one| *one != empty).map_or(0, |last| last + 1);
    to.collect_seq(&all[..used])
}

pub fn deserialize<'de, T, D, const N: usize>(from: D) -> Result<[T; N], D::Error>
where
    T: Deserialize<'de> + Default + Copy,
    D: Deserializer<'de>,
{
    let some = Vec::<T>::deserialize(from)?;
    let mut all = [T::default(); N];
    let len = some.len();
    let room = all.get_mut(..len).ok_or_else(|| D::Error::custom(format!("{len} where at most {N} may be")))?;
    room.copy_from_slice(&some);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use crate::core::vessel::{Constellation, Satellite, Vessel};

    #[test]
    fn a_vessel_without_satellites_is_short_and_one_with_some_comes_back_whole() {
        let mut vessel = Vessel::default();
        let empty = serde_json::to_string(&vessel).unwrap();
        assert!(!empty.contains("prn") && empty.len() < 4000, "{} bytes", empty.len());
        assert_eq!(serde_json::from_str::<Vessel>(&empty).unwrap(), vessel);
        vessel.gnss.systems[2].satellites[3] = Satellite { prn: 7, ..Satellite::default() };
        let some = serde_json::to_string(&vessel).unwrap();
        assert_eq!(some.matches("prn").count(), 4);
        assert_eq!(serde_json::from_str::<Vessel>(&some).unwrap(), vessel);
        let many = serde_json::to_string(&vec![Satellite::default(); 17]).unwrap();
        let many = format!("{{\"in_view\":null,\"used\":null,\"satellites\":{many}}}");
        assert!(serde_json::from_str::<Constellation>(&many).unwrap_err().to_string().contains("at most 16"));
    }
}
