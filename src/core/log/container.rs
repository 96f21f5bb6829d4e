//! Recordings that wrap sentences in columns (LOG-FORMAT R6): the two CSV forms of OpenCPN's VDR plugin.
//!
//! Recognises the header line and takes the columns of a row apart. IEC 61162-450 captures need nothing of this: `UdPbC` and
//! NUL in front of a TAG block are a prefix like any other.

use std::ops::Range;

/// Columns of a container, by place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    time: usize,
    message: usize,
    count: usize,
}

/// A row taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Where the time stands in the line.
    pub time: Range<usize>,
    /// Where the message stands in the line, without its quotes.
    pub message: Range<usize>,
}

/// The names of a form, of its time and of its message.
type Form = (&'static [&'static str], &'static str, &'static str);

const FORMS: [Form; 2] = [
    (&["timestamp", "type", "id", "message"], "timestamp", "message"),
    (&["received_at", "protocol", "source", "msg_type", "raw_data"], "received_at", "raw_data"),
];

impl Columns {
    /// Whether a line is the header of a container: all names of one form, in any order.
    pub fn of_header(line: &[u8]) -> Option<Columns> {
        let line = line.trim_ascii();
        if line.len() > 200 || !line.contains(&b',') {
            return None;
        }
        let names: Vec<&[u8]> = line.split(|b| *b == b',').map(unquoted).collect();
        let place = |name: &str| names.iter().position(|n| n.eq_ignore_ascii_case(name.as_bytes()));
        FORMS.iter().filter(|(all, ..)| all.iter().all(|name| place(name).is_some())).find_map(|(_, time, message)| {
            let (time, message) = place(time).zip(place(message))?;
            Some(Columns { time, message, count: names.len() })
        })
    }

    /// The cells of a row; `None` when it has not as many as the header.
    pub fn cells(&self, line: &[u8]) -> Option<Cells> {
        let (mut time, mut message) = (None, None);
        let mut at = 0;
        let mut column = 0;
        loop {
            let (cell, next) = cell(line, at);
            if column == self.time {
                time = Some(cell.clone());
            }
            if column == self.message {
                message = Some(cell);
            }
            column += 1;
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        // A message without quotes may hold commas when its column is the last.
        let (time, mut message) = time.zip(message)?;
        if column > self.count
            && self.message + 1 == self.count
            && line.get(message.start.wrapping_sub(1)) != Some(&b'"')
        {
            message.end = line.len();
            column = self.count;
        }
        (column == self.count).then_some(Cells { time, message })
    }
}

/// The cell that begins at `at`, and where the next one begins.
fn cell(line: &[u8], at: usize) -> (Range<usize>, Option<usize>) {
    let rest = &line[at..];
    if rest.first() == Some(&b'"') {
        let mut end = at + 1;
        while let Some(quote) = memchr::memchr(b'"', &line[end..]) {
            end += quote;
            if line.get(end + 1) == Some(&b'"') {
                end += 2; // a doubled quote stands for one
                continue;
            }
            let next = memchr::memchr(b',', &line[end..]).map(|c| end + c + 1);
            return (at + 1..end, next);
        }
        return (at + 1..line.len(), None);
    }
    match memchr::memchr(b',', rest) {
        Some(comma) => (at..at + comma, Some(at + comma + 1)),
        None => (at..line.len(), None),
    }
}

fn unquoted(name: &[u8]) -> &[u8] {
    let name = name.trim_ascii();
    name.strip_prefix(b"\"").and_then(|n| n.strip_suffix(b"\"")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(header: &str, row: &'static str) -> Option<(&'static str, &'static str)> {
        let cells = Columns::of_header(header.as_bytes()).unwrap().cells(row.as_bytes())?;
        Some((&row[cells.time], &row[cells.message]))
    }

    #[test]
    fn both_forms_in_any_order_quoted_or_not() {
        let row = "2026-09-23T10:00:00.000Z,NMEA0183,,\"$GPHDT,1.0,T*00\"";
        let found = Some(("2026-09-23T10:00:00.000Z", "$GPHDT,1.0,T*00"));
        assert_eq!(cells("timestamp,type,id,message", row), found);
        assert_eq!(cells(" \"Timestamp\",type,id,\"message\" ", row), found);
        assert_eq!(
            cells("received_at,protocol,source,msg_type,raw_data", "1790157600250,NMEA0183,a,HDT,\"$GPHDT,1.0,T*00\""),
            Some(("1790157600250", "$GPHDT,1.0,T*00"))
        );
        assert_eq!(cells("message,id,type,timestamp", "\"$GPHDT,1\",,x,12"), Some(("12", "$GPHDT,1")));
        assert_eq!(cells("timestamp,type,id,message", "12,x,,\"a \"\"b\"\" c\""), Some(("12", "a \"\"b\"\" c")));
    }

    #[test]
    fn rows_that_do_not_fit() {
        assert_eq!(cells("timestamp,type,id,message", "12,x,$GPHDT"), None);
        assert_eq!(cells("message,id,type,timestamp", "1,2,3,4,5"), None);
        // Never quoted by a careless tool: the last column takes the rest.
        assert_eq!(cells("timestamp,type,id,message", "12,x,,$GPHDT,1.0,T"), Some(("12", "$GPHDT,1.0,T")));
        assert_eq!(cells("timestamp,type,id,message", "12,x,,\"torn,"), Some(("12", "torn,")));
    }

    #[test]
    fn other_headers_are_none() {
        for line in ["timestamp,type,message", "$GPHDT,1,T", "", ",,,", "time,speed"] {
            assert_eq!(Columns::of_header(line.as_bytes()), None);
        }
    }
}
