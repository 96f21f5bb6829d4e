//! Moving in time: pause, speed, where to, loops. The list follows where a person sent the play head.

use super::Update;
use crate::core::transport::player::speed_text;
use crate::core::transport::target::Target;
use crate::core::transport::{Looping, To, Transport};
use crate::runtime::session::snapshot::Mode;
use crate::runtime::session::{Anchor, Command, RowKey};
use crate::ui::format;

impl Update<'_> {
    pub(super) fn transport(&mut self, t: Transport, done: impl Into<String>) {
        self.send(Command::Transport(t), done);
    }

    /// Moves the play head; the list goes along, wherever it was browsing.
    pub(super) fn move_head(&mut self, to: Transport, done: impl Into<String>) {
        self.forget_place();
        self.transport(to, done);
    }

    pub(super) fn speed(&mut self, speed: Option<u32>) {
        let word = match speed {
            None => "Speed max: as fast as the outputs take it".into(),
            Some(_) => format!("Speed {}x", speed_text(speed)),
        };
        self.transport(Transport::Speed(speed), word);
    }

    /// Moves the play head to what was typed: a target, or the name of a mark.
    pub(super) fn go_to(&mut self, text: &str) {
        let marks = self.snapshot.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
        let mark = marks.iter().find(|m| !m.name.is_empty() && m.name.eq_ignore_ascii_case(text.trim()));
        if let Some(mark) = mark {
            self.move_head(Transport::Seek(To::Place(mark.place)), format!("At {}", mark.name));
            return;
        }
        match Target::parse(text) {
            Ok(target) => self.move_head(Transport::Go(target), ""),
            Err(why) => self.warn(why),
        }
    }

    pub(super) fn play_from_here(&mut self) {
        let to = match self.key_at_hand() {
            Some(RowKey::Place(place)) => Some(To::Place(place)),
            Some(RowKey::Seq(_)) => self.model.row_at_hand(&self.snapshot.list).and_then(|r| r.offset).map(To::Offset),
            None => None,
        };
        let Some(to) = to else {
            self.note("Select a line first");
            return;
        };
        self.move_head(Transport::Seek(to), "");
        self.transport(Transport::Play, "");
    }

    pub(super) fn loop_point(&mut self) {
        let t = &self.snapshot.transport;
        let here = crate::core::time::span(t.position);
        let word = match (t.looping, t.loop_from) {
            (Looping::Stretch(..), _) => "A-B loop cleared".to_owned(),
            (_, None) => format!("A at {here}; b sets B"),
            (_, Some(a)) if a.abs_diff(t.position) <= 1 => "A-B loop cleared".to_owned(),
            (_, Some(a)) => format!("A-B loop over {}", format::duration((t.position - a).abs())),
        };
        self.transport(Transport::LoopPoint, word);
    }

    pub(super) fn pause(&mut self) {
        if self.snapshot.mode != Mode::Live {
            self.transport(Transport::Toggle, "");
        } else if self.model.frozen.is_some() {
            self.model.frozen = None;
            self.model.list.anchor = None;
            self.model.list.selected = None;
            self.note("The screen goes on");
        } else {
            self.model.frozen = Some(Box::new(self.snapshot.vessel));
            if self.model.list.anchor.is_none() {
                self.model.list.anchor = self.snapshot.list.rows.first().map(|r| Anchor::Top(r.key));
            }
            self.note("The screen is frozen; collecting goes on");
        }
    }
}
