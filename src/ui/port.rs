//! The settings of a serial input while a person chooses them.
//!
//! Holds what was chosen; what was heard comes from the snapshot, and `update` sends what is to be done.

use crate::core::input::InputSpec;
use crate::core::output::{Flow, Parity, SerialSettings};
use crate::runtime::session::snapshot::InputRow;

/// The rates that are offered; any other can be given by `:port`.
const RATES: [u32; 11] = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600];

/// One setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Which serial input, where there are several.
    Input,
    /// The rate, or `auto`.
    Baud,
    /// 5 to 8.
    DataBits,
    /// None, odd, even.
    Parity,
    /// 1 or 2.
    StopBits,
    /// None, hardware, software.
    Flow,
}

impl Setting {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Setting::Input => "Input",
            Setting::Baud => "Baud rate",
            Setting::DataBits => "Data bits",
            Setting::Parity => "Parity",
            Setting::StopBits => "Stop bits",
            Setting::Flow => "Flow control",
        }
    }
}

/// The dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct PortDialog {
    /// The number of the input.
    pub input: u16,
    /// What was chosen.
    pub settings: SerialSettings,
    /// The chosen row of [`PortDialog::rows`].
    pub row: usize,
    /// There are several serial inputs.
    pub several: bool,
}

/// The serial inputs and their settings.
fn ports(inputs: &[InputRow]) -> impl Iterator<Item = (u16, SerialSettings)> {
    inputs.iter().filter_map(|row| match InputSpec::parse(&row.spec) {
        Ok(InputSpec::Serial(settings)) => Some((row.n, settings)),
        _ => None,
    })
}

impl PortDialog {
    /// Of the first serial input; `None`: there is none.
    pub fn new(inputs: &[InputRow]) -> Option<PortDialog> {
        let (input, settings) = ports(inputs).next()?;
        // the rate is what is mostly changed
        let several = ports(inputs).count() > 1;
        Some(PortDialog { input, settings, row: usize::from(several), several })
    }

    /// The settings, from the top.
    pub fn rows(&self) -> Vec<Setting> {
        let all = [Setting::Input, Setting::Baud, Setting::DataBits, Setting::Parity, Setting::StopBits, Setting::Flow];
        all.into_iter().filter(|s| self.several || *s != Setting::Input).collect()
    }

    /// A setting as text.
    pub fn value(&self, setting: Setting) -> String {
        let s = &self.settings;
        match setting {
            Setting::Input => format!("{}", u32::from(self.input) + 1),
            Setting::Baud => s.baud.map_or("auto".into(), |baud| baud.to_string()),
            Setting::DataBits => s.data_bits.to_string(),
            Setting::Parity => match s.parity {
                Parity::None => "none".into(),
                Parity::Odd => "odd".into(),
                Parity::Even => "even".into(),
            },
            Setting::StopBits => s.stop_bits.to_string(),
            Setting::Flow => match s.flow {
                Flow::None => "none".into(),
                Flow::Hardware => "hardware".into(),
                Flow::Software => "software".into(),
            },
        }
    }

    /// The value of the chosen row becomes the next, or the one before.
    pub fn step(&mut self, forward: bool, inputs: &[InputRow]) {
        let Some(setting) = self.rows().get(self.row).copied() else { return };
        let s = &mut self.settings;
        match setting {
            Setting::Input => {
                let all: Vec<_> = ports(inputs).collect();
                let at = all.iter().position(|(n, _)| *n == self.input).unwrap_or(0);
                if let Some((n, settings)) = all.get(turned(at, all.len(), forward)) {
                    (self.input, self.settings) = (*n, settings.clone());
                }
            }
            Setting::Baud => {
                let mut rates: Vec<Option<u32>> = RATES.into_iter().map(Some).collect();
                rates.extend(s.baud.map(Some));
                rates.push(None);
                rates.sort_unstable();
                rates.dedup();
                let at = rates.iter().position(|rate| *rate == s.baud).unwrap_or(0);
                s.baud = rates[turned(at, rates.len(), forward)];
            }
            Setting::DataBits => s.data_bits = 5 + turned(usize::from(s.data_bits.clamp(5, 8) - 5), 4, forward) as u8,
            Setting::Parity => s.parity = next(&[Parity::None, Parity::Odd, Parity::Even], s.parity, forward),
            Setting::StopBits => s.stop_bits = if s.stop_bits == 2 { 1 } else { 2 },
            Setting::Flow => s.flow = next(&[Flow::None, Flow::Hardware, Flow::Software], s.flow, forward),
        }
    }

    /// What was chosen, as a SPEC.
    pub fn spec(&self) -> String {
        InputSpec::Serial(self.settings.clone()).to_string()
    }
}

fn turned(at: usize, len: usize, forward: bool) -> usize {
    (at + if forward { 1 } else { len.max(1) - 1 }) % len.max(1)
}

fn next<T: Copy + PartialEq>(all: &[T], now: T, forward: bool) -> T {
    let at = all.iter().position(|v| *v == now).unwrap_or(0);
    all.get(turned(at, all.len(), forward)).copied().unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(specs: &[&str]) -> Vec<InputRow> {
        specs.iter().zip(0..).map(|(s, n)| InputRow { n, spec: (*s).into(), ..InputRow::default() }).collect()
    }

    #[test]
    fn only_serial_inputs_have_a_port() {
        assert_eq!(PortDialog::new(&inputs(&["tcp:192.0.2.1:10110", "udp:2000"])), None);
        let port = PortDialog::new(&inputs(&["udp:2000", "serial:/dev/ttyUSB0@38400;bits=7E2;flow=hardware"])).unwrap();
        let values: Vec<String> = port.rows().into_iter().map(|s| port.value(s)).collect();
        assert_eq!((port.input, port.row), (1, 0));
        assert_eq!(values, ["38400", "7", "even", "2", "hardware"]);
        assert_eq!(port.spec(), "serial:/dev/ttyUSB0@38400;bits=7E2;flow=hardware");
    }

    #[test]
    fn every_setting_walks_round_and_a_strange_rate_stays_on_offer() {
        let inputs = inputs(&["serial:/dev/ttyS0@31250", "serial:/dev/ttyS1@auto"]);
        let mut port = PortDialog::new(&inputs).unwrap();
        assert_eq!(port.rows()[port.row], Setting::Baud);
        port.step(false, &inputs);
        assert_eq!(port.spec(), "serial:/dev/ttyS0@19200");
        port.settings.baud = Some(921_600);
        port.step(true, &inputs);
        assert_eq!(port.spec(), "serial:/dev/ttyS0@auto");
        port.step(true, &inputs);
        assert_eq!(port.spec(), "serial:/dev/ttyS0@1200");
        for row in 1..port.rows().len() {
            port.row = row;
            let before = port.settings.clone();
            port.step(true, &inputs);
            assert_ne!(port.settings, before, "{:?}", port.rows()[row]);
            port.step(false, &inputs);
            assert_eq!(port.settings, before, "{:?}", port.rows()[row]);
        }
        port.row = 0;
        port.step(true, &inputs);
        assert_eq!((port.input, port.spec().as_str()), (1, "serial:/dev/ttyS1@auto"));
        assert_eq!(InputSpec::parse(&port.spec()).unwrap().to_string(), port.spec());
    }
}
