//! Writes a log of any size to standard output, for benchmarks: `biglog 200M [plain]`. A boat's sentences with right
//! checksums, 14 a second; `plain` leaves the stamps out.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use nmeasimx::core::log::writer::{Stamper, header};
use nmeasimx::core::time::{MILLISECOND, SECOND, date_of, time_of_day};

/// 2026-09-23T10:00:00Z.
const START: i64 = 1_790_157_600 * SECOND;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let size = args.next().unwrap_or_default();
    let (digits, unit) = size.split_at(size.len().saturating_sub(1));
    let unit = match unit {
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1u64 << 30,
        _ => 0,
    };
    let Ok(size) = digits.parse::<u64>().map(|n| n * unit) else {
        eprintln!("biglog SIZE [plain]: give a size such as 200M or 5G");
        return ExitCode::from(2);
    };
    match write(size, args.next().as_deref() == Some("plain")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("biglog: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(size: u64, plain: bool) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut stamper = Stamper::default();
    let mut text = Vec::new();
    if !plain {
        header(&mut text, START, &[("source".to_owned(), "biglog".to_owned())]);
    }
    let (mut written, mut n) = (0, 0u64);
    while written < size {
        let utc = START + (n / 14) as i64 * SECOND + (n % 14) as i64 * 21 * MILLISECOND;
        if !plain {
            stamper.stamp(&mut text, utc);
        }
        let body = sentence(n, utc);
        let sum = body.bytes().skip(1).fold(0u8, |sum, b| sum ^ b);
        writeln!(text, "{body}*{sum:02X}")?;
        out.write_all(&text)?;
        written += text.len() as u64;
        text.clear();
        n += 1;
    }
    out.flush()
}

fn sentence(n: u64, utc: i64) -> String {
    let s = time_of_day(utc) / SECOND;
    let clock = format!("{:02}{:02}{:02}.00", s / 3600, s / 60 % 60, s % 60);
    let day = date_of(utc);
    let date = format!("{:02}{:02}{:02}", day.day, day.month, day.year % 100);
    let turn = n / 14;
    let (lat, lon) = (40.0 + (turn % 9000) as f64 * 0.0021, 25.0 + (turn % 9000) as f64 * 0.0013);
    match n % 14 {
        0 => format!(
            "$GPRMC,{clock},A,37{lat:07.4},N,023{lon:07.4},E,6.{},{:03}.0,{date},4.8,E,A",
            turn % 10,
            turn % 360
        ),
        1 => format!("$GPGGA,{clock},37{lat:07.4},N,023{lon:07.4},E,1,09,0.9,2.1,M,36.4,M,,"),
        2 => format!("$GPGLL,37{lat:07.4},N,023{lon:07.4},E,{clock},A,A"),
        3 => format!("$GPVTG,{:03}.0,T,,M,6.{},N,12.0,K,A", turn % 360, turn % 10),
        4 => "$GPGSA,A,3,04,05,09,12,17,20,24,28,31,,,,1.8,0.9,1.5".to_owned(),
        5..=7 => format!("$GPGSV,3,{},09,04,40,083,46,05,17,308,41,09,07,344,39,12,22,228,45", n % 14 - 4),
        8 => format!("$WIMWV,{:05.1},R,{}.{},N,A", (turn * 3 % 3600) as f64 / 10.0, 8 + turn % 9, turn % 10),
        9 => format!("$WIMWV,{:05.1},T,{}.{},N,A", (turn * 5 % 3600) as f64 / 10.0, 6 + turn % 9, turn % 10),
        10 => format!("$SDDPT,{}.{},0.5", 12 + turn % 60, turn % 10),
        11 => format!("$HCHDG,{:05.1},,,4.8,E", (turn * 7 % 3600) as f64 / 10.0),
        12 => format!("$VWVHW,,T,{:05.1},M,6.1,N,11.3,K", (turn * 7 % 3600) as f64 / 10.0),
        _ => format!("!AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP{:02},0", turn % 90 + 10),
    }
}
