//! A serial port and how it is set. Opens nothing.

/// A serial port and how it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialSettings {
    /// `/dev/ttyUSB0`, `/dev/serial/by-id/…`.
    pub device: String,
    /// Bits a second; `None`: to be found out (inputs only).
    pub baud: Option<u32>,
    /// 5 to 8.
    pub data_bits: u8,
    /// Parity.
    pub parity: Parity,
    /// 1 or 2.
    pub stop_bits: u8,
    /// Flow control.
    pub flow: Flow,
}

/// Parity of a serial line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parity {
    /// None.
    #[default]
    None,
    /// Odd.
    Odd,
    /// Even.
    Even,
}

/// Flow control of a serial line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// None.
    #[default]
    None,
    /// RTS and CTS.
    Hardware,
    /// XON and XOFF.
    Software,
}

impl SerialSettings {
    /// 8N1 without flow control, as NMEA 0183 has it.
    pub fn new(device: &str, baud: Option<u32>) -> SerialSettings {
        SerialSettings {
            device: device.into(),
            baud,
            data_bits: 8,
            parity: Parity::None,
            stop_bits: 1,
            flow: Flow::None,
        }
    }

    /// `DEVICE`, `DEVICE@BAUD`, `DEVICE@auto`.
    ///
    /// # Errors
    /// A baud rate that is none, or no device.
    pub fn parse(text: &str) -> Result<SerialSettings, String> {
        let (device, baud) = match text.rsplit_once('@') {
            None => (text, Some(4800)),
            Some((device, "auto")) => (device, None),
            Some((device, baud)) => (device, Some(parse_baud(baud)?)),
        };
        if device.is_empty() {
            return Err("serial: name a device, as in serial:/dev/ttyUSB0@4800".into());
        }
        Ok(SerialSettings::new(device, baud))
    }

    /// Reads one of `baud`, `bits` (`8N1`), `flow`.
    ///
    /// # Errors
    /// What is wrong with it. `Ok(false)`: not a setting of a serial line.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "baud" => self.baud = Some(parse_baud(value)?),
            "bits" => {
                let bytes = value.as_bytes();
                let [data @ b'5'..=b'8', parity, stop @ (b'1' | b'2')] = bytes else {
                    return Err(format!("bits {value:?}: give data bits, parity and stop bits, as in 8N1"));
                };
                self.data_bits = data - b'0';
                self.stop_bits = stop - b'0';
                self.parity = match parity {
                    b'N' | b'n' => Parity::None,
                    b'O' | b'o' => Parity::Odd,
                    b'E' | b'e' => Parity::Even,
                    _ => return Err(format!("bits {value:?}: the parity is N, O or E")),
                };
            }
            "flow" => {
                self.flow = match value {
                    "none" => Flow::None,
                    "hardware" => Flow::Hardware,
                    "software" => Flow::Software,
                    _ => return Err(format!("flow {value:?}: give none, hardware or software")),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `8N1`.
    pub fn bits(&self) -> String {
        let parity = match self.parity {
            Parity::None => 'N',
            Parity::Odd => 'O',
            Parity::Even => 'E',
        };
        format!("{}{parity}{}", self.data_bits, self.stop_bits)
    }

    /// What differs from 8N1 without flow control, as it stands behind a SPEC: `;bits=7E1;flow=hardware`.
    pub fn unusual(&self) -> String {
        let mut text = if self.bits() == "8N1" { String::new() } else { format!(";bits={}", self.bits()) };
        text += match self.flow {
            Flow::None => "",
            Flow::Hardware => ";flow=hardware",
            Flow::Software => ";flow=software",
        };
        text
    }

    /// Bits on the line for one byte: start, data, parity, stop.
    pub fn bits_per_byte(&self) -> u32 {
        1 + u32::from(self.data_bits) + u32::from(self.parity != Parity::None) + u32::from(self.stop_bits)
    }
}

fn parse_baud(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(baud @ 50..=4_000_000) => Ok(baud),
        _ => Err(format!("{text:?} is no baud rate: give 4800, 38400 or another of 50 to 4000000")),
    }
}
