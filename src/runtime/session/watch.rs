//! Diagnosis at work: hears what passes, judges as time passes, and reports.
//!
//! At max it looks away unless somebody asks for it: judging costs more than passing on.

use std::path::Path;

use super::snapshot::{InputRow, Scan};
use crate::core::diag::context::Settings;
use crate::core::diag::feed::{Input, Medium};
use crate::core::diag::report::{Format, Report};
use crate::core::diag::{Diag, of_log};
use crate::core::frame::Origin;
use crate::core::input::InputSpec;
use crate::core::log::Tier;
use crate::core::time::{Moment, Utc};
use crate::runtime::hub::Told;
use crate::runtime::outputs::encode::utc_of;
use crate::runtime::session::snapshot::Mode;

/// The diagnosis of a session's source.
pub struct Watch {
    diag: Diag,
    settings: Settings,
    generation: u32,
    asked: bool,
    looked_away: bool,
    /// Of each input: its settings and how often it was opened again, as told so far.
    told: Vec<(String, u32)>,
}

impl Watch {
    /// Of a source of this mode; `tier`: how a log is timed.
    pub fn new(mode: Mode, tier: Option<Tier>) -> Watch {
        let settings = match (mode, tier) {
            (Mode::Live, _) => Settings::live(is_synchronised()),
            (Mode::Replay, tier) => of_log::settings(tier.unwrap_or(Tier::None)),
            _ => Settings::simulation(),
        };
        Watch { diag: Diag::new(settings), settings, generation: 0, asked: false, looked_away: false, told: Vec::new() }
    }

    /// Somebody looks: from now on everything is heard.
    pub fn ask(&mut self) {
        self.asked = true;
    }

    /// The same questions of another source.
    pub fn begin_anew(&mut self, mode: Mode, tier: Option<Tier>) {
        *self = Watch { asked: self.asked, generation: self.generation, ..Watch::new(mode, tier) };
    }

    /// What the inputs are.
    pub fn inputs(&mut self, specs: &[InputSpec]) {
        for (spec, n) in specs.iter().zip(0..) {
            self.diag.input(Origin::Input(n), input(spec), Moment::default());
        }
        self.told = vec![(String::new(), 0); specs.len()];
    }

    /// As on a machine whose clock a time server has set.
    #[cfg(test)]
    pub fn trust_the_clock(&mut self) {
        self.settings = Settings::live(true);
        self.diag.set(self.settings);
    }

    /// Whether some output is a serial line.
    pub fn forwarded_to_serial(&mut self, serial: bool) {
        if self.settings.forwarded_to_serial != serial {
            self.settings.forwarded_to_serial = serial;
            self.diag.set(self.settings);
        }
    }

    /// What the hub has passed on.
    pub fn take(&mut self, told: &Told) {
        if told.patient && !self.asked {
            self.looked_away = true;
            return;
        }
        if self.generation != told.batch.generation || std::mem::take(&mut self.looked_away) {
            self.generation = told.batch.generation;
            self.diag.clear();
        }
        for frame in &told.batch.frames {
            self.diag.hear(frame, utc_of(&told.batch, frame));
        }
    }

    /// Bytes of a live input, before they are lines.
    pub fn raw(&mut self, input: u16, bytes: &[u8], now: Moment) {
        self.diag.hear_raw(Origin::Input(input), bytes, now);
    }

    /// Time passes at live inputs.
    pub fn tick(&mut self, now: Moment, rows: &[InputRow]) {
        for (row, told) in rows.iter().zip(&mut self.told) {
            let origin = Origin::Input(row.n);
            if row.settings != told.0 {
                told.0.clone_from(&row.settings);
                if let (Ok(spec), Some(baud)) =
                    (InputSpec::parse(&row.spec), row.settings.split(' ').next().and_then(|b| b.parse().ok()))
                {
                    self.diag.input(origin, Input { baud: Some(baud), ..input(&spec) }, now);
                }
            }
            if let Some(scan) = row.scan.as_ref().filter(|scan| is_looking(scan)) {
                self.diag.excuse(origin, now);
                if scan.failed && scan.tried.iter().any(|tried| tried.bytes > 0) {
                    self.diag.no_rate(origin, now);
                }
            }
            if row.reopened != told.1 {
                told.1 = row.reopened;
                self.diag.reopened(origin, row.lived, now);
            }
        }
        self.diag.tick(now);
    }

    /// Forgets the counters.
    pub fn clear(&mut self) {
        self.diag.clear();
    }

    /// What was heard.
    pub fn diag(&self) -> &Diag {
        &self.diag
    }

    /// The source has ended.
    pub fn finish(&mut self) {
        self.diag.finish();
    }

    /// Writes a report; whether it holds errors, and how it sums up.
    ///
    /// # Errors
    /// One line with the path.
    pub fn report(&self, path: &Path, source: &str, now: Utc, replace: bool) -> Result<(bool, String), String> {
        let inputs =
            self.told.iter().enumerate().map(|(n, (settings, _))| (format!("Input {}", n + 1), settings.clone()));
        let report = Report::new(&self.diag, source, inputs.filter(|(_, s)| !s.is_empty()).collect(), Some(now));
        let text = report.render(Format::of(path));
        let shown = super::open::shown(path);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).truncate(true);
        let opened = if replace { options.create(true).open(path) } else { options.create_new(true).open(path) };
        let written = opened.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
        written.map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => format!("{shown} exists already: name a new file"),
            _ => crate::runtime::recorder::disk::explain(path, &e),
        })?;
        Ok((report.has_errors(), report.verdict()))
    }
}

/// Looks for a baud rate; a line that is silent at every rate has another fault.
fn is_looking(scan: &Scan) -> bool {
    let silent = scan.step > scan.steps / 2 && scan.tried.iter().all(|tried| tried.bytes == 0);
    scan.baud > 0 && !silent
}

fn input(spec: &InputSpec) -> Input {
    let name = crate::core::visible::text(spec.to_string().as_bytes());
    let (medium, baud) = match spec {
        InputSpec::Serial(s) if s.device.contains("ttyACM") => (Medium::UsbSerial, s.baud),
        InputSpec::Serial(s) => (Medium::Serial, s.baud),
        InputSpec::Tcp { .. } => (Medium::Tcp, None),
        InputSpec::Udp { .. } => (Medium::Udp, None),
        InputSpec::File(_) | InputSpec::Stdin => (Medium::Other, None),
    };
    Input { name, medium, baud }
}

/// Whether the clock of this machine can judge others: systemd says so when a time server has set it.
fn is_synchronised() -> bool {
    Path::new("/run/systemd/timesync/synchronized").exists()
}
