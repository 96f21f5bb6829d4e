//! Adding and taking away: targets, the destination, sentences of one's own.
//!
//! Where the cursor of the zoomed control pane stands decides which.

use super::Update;
use super::act::set_to;
use crate::core::transport::Change;
use crate::core::vessel::geodesy::direct;
use crate::core::vessel::units::{NM_M, wrap_360};
use crate::core::vessel::{Bare, Position};
use crate::ui::control;
use crate::ui::prompt::PromptKind;

/// The first number of a simulated ship that is proposed; MIDs from 200 are unassigned up to 200 itself.
const FIRST_MMSI: u32 = 200_000_011;

impl Update<'_> {
    /// Asks for what is to be added where the cursor stands, with a proposal that can be taken as it is.
    pub(super) fn add_element(&mut self) {
        match control::element_at_cursor(self.model, self.snapshot) {
            Some(("target", _)) => {
                let line = self.proposed_target();
                self.prompt(PromptKind::AddTarget, &line);
            }
            Some(("destination", _)) => {
                let line = self.proposed_destination();
                self.prompt(PromptKind::Destination, &line);
            }
            Some(("sentences.custom", _)) => self.prompt(PromptKind::AddSentence, ""),
            Some(("fault", _)) => self.note("Every fault is there: Right switches it on"),
            _ if !self.model.zoom => self.note("z shows targets, destination and sentences; + adds there"),
            _ => self.note("+ adds a target, a destination or a sentence of your own where the cursor stands"),
        }
    }

    /// Takes away what the cursor stands on.
    pub(super) fn remove_element(&mut self) {
        match control::element_at_cursor(self.model, self.snapshot) {
            Some(("destination", _)) => {
                if control::value(self.snapshot, "destination.latitude").is_none_or(str::is_empty) {
                    return self.note("There is no destination");
                }
                let parts = ["latitude", "longitude"].map(|k| set_to(format!("destination.{k}"), ""));
                self.change(Change::Several(parts.to_vec()), "No destination; Ctrl-U brings it back");
            }
            Some((_, Some(element))) if !element.starts_with("fault.") || self.is_numbered(&element) => {
                let name = control::value(self.snapshot, &format!("{element}.name")).filter(|n| !n.is_empty());
                let said = format!("{} is gone; Ctrl-U brings it back", name.unwrap_or(&element));
                self.change(set_to(element, ""), said);
            }
            Some(("fault", _)) => self.note("This fault is off already"),
            _ => self.note("Targets, the destination and sentences of your own can be taken away"),
        }
    }

    fn is_numbered(&self, element: &str) -> bool {
        control::value(self.snapshot, &format!("{element}.kind")).is_some()
    }

    fn targets(&self) -> impl Iterator<Item = u32> {
        let of_target =
            |c: &&crate::runtime::session::snapshot::Control| c.key.starts_with("target.") && c.key.ends_with(".mmsi");
        self.snapshot.controls.iter().filter(of_target).map(|c| c.value.parse().unwrap_or_default())
    }

    /// A place ahead of the vessel; without a position none.
    fn ahead(&self, miles: f64) -> Option<(Position, f64)> {
        let course = self.snapshot.vessel.heading_true_deg.bare().or(self.snapshot.vessel.cog_true_deg.bare());
        let course = course.unwrap_or_default();
        Some((direct(self.vessel_at()?, course, miles * NM_M).position, course))
    }

    /// A ship a mile ahead that comes the other way.
    fn proposed_target(&self) -> String {
        let known: Vec<u32> = self.targets().collect();
        let mmsi = (FIRST_MMSI..).find(|m| !known.contains(m)).unwrap_or(FIRST_MMSI);
        let (at, course) = self.ahead(1.0).unwrap_or((Position { latitude: 0.0, longitude: 0.0 }, 0.0));
        let (lat, lon) = (at.latitude, at.longitude);
        let course = wrap_360((course + 180.0).round());
        format!("{mmsi} {lat:.5} {lon:.5} {course} 8 TARGET {}", known.len() + 1)
    }

    /// The destination that is, else one two miles ahead.
    fn proposed_destination(&self) -> String {
        let value = |key: &str| control::value(self.snapshot, key).filter(|v| !v.is_empty());
        let name = value("destination.name").unwrap_or("DEST");
        match (value("destination.latitude"), value("destination.longitude"), self.ahead(2.0)) {
            (Some(latitude), Some(longitude), _) => format!("{latitude} {longitude} {name}"),
            (_, _, Some((at, _))) => format!("{:.5} {:.5} {name}", at.latitude, at.longitude),
            _ => String::new(),
        }
    }

    /// A target as it was typed: MMSI, latitude, longitude, and perhaps course, speed, name.
    pub(super) fn target_typed(&mut self, line: &str) {
        let words: Vec<&str> = line.split([' ', ',']).filter(|w| !w.is_empty()).collect();
        let [mmsi, latitude, longitude, rest @ ..] = words.as_slice() else {
            return self.warn("a target: MMSI LATITUDE LONGITUDE [COURSE SPEED NAME], degrees and knots");
        };
        let n = self.targets().count();
        let mut parts: Vec<Change> = [("mmsi", mmsi), ("latitude", latitude), ("longitude", longitude)]
            .into_iter()
            .chain(["course", "speed"].into_iter().zip(rest))
            .map(|(name, value)| set_to(format!("target.{n}.{name}"), *value))
            .collect();
        if let Some(name) = rest.get(2..).filter(|name| !name.is_empty()) {
            parts.push(set_to(format!("target.{n}.name"), name.join(" ")));
        }
        self.model.control = format!("target.{n}.course");
        self.change(Change::Several(parts), format!("Target {mmsi} is there"));
    }

    /// A sentence of one's own as it was typed: how often, if that is said first, and the sentence.
    pub(super) fn sentence_typed(&mut self, line: &str) {
        let is_body = |c: &&crate::runtime::session::snapshot::Control| {
            c.key.starts_with("sentences.custom.") && c.key.ends_with(".body")
        };
        let n = self.snapshot.controls.iter().filter(is_body).count();
        let (period, body) = match line.split_once(' ') {
            Some((period, body)) if period.starts_with(|c: char| c.is_ascii_digit()) => (Some(period), body.trim()),
            _ => (None, line),
        };
        let mut parts = vec![set_to(format!("sentences.custom.{n}.body"), body)];
        parts.extend(period.map(|period| set_to(format!("sentences.custom.{n}.period"), period)));
        self.model.control = format!("sentences.custom.{n}.enabled");
        self.change(Change::Several(parts), "The sentence is said from now on");
    }
}
