//! Rules about the route: sentences of one moment must agree.

use super::board::{Board, seen};
use super::context::{Context, Few, Stamped, fresh};
use super::kind::Kind;
use crate::core::frame::Origin;
use crate::core::time::{Offset, SECOND};
use crate::core::vessel::Label;

/// Cross-track errors may differ by this, nautical miles (RMB has two decimals: half a unit more).
pub const XTE_NM: f64 = 0.02;
/// Rounding of two decimals.
pub const XTE_GRAIN_NM: f64 = 0.005;
/// Opposite orders count above this, nautical miles.
pub const OPPOSITE_NM: f64 = 0.05;
/// RMB says no more than this.
pub const RMB_MOST_NM: f64 = 9.99;
/// One moment.
pub const TOGETHER: Offset = SECOND / 2;
/// So many disagreements are a finding.
pub const LEAST: u32 = 3;

/// Positive: steer left.
type Xte = (f64, Option<Label>);

/// The rules about the route.
#[derive(Debug, Default)]
pub struct Route {
    said: Few<[u8; 3], Option<Stamped<Xte>>, 3>,
    disagree: u32,
}

impl Route {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, b: &mut Board) {
        let Ok(mine @ (b"APB" | b"RMB" | b"XTE")) = <&[u8; 3]>::try_from(c.formatter) else { return };
        let (Some(off), Some(steer)) = (c.said.number("cross_track_nm"), c.said.letter("steer")) else { return };
        let at = c.at();
        let signed = if steer == b'R' { -off } else { off };
        let destination = c.said.text("destination");
        let others: Vec<([u8; 3], Xte)> = self
            .said
            .iter()
            .filter(|(f, _)| f != mine)
            .filter_map(|(f, v)| Some((*f, fresh(v, at, TOGETHER)?)))
            .collect();
        if let Some(place) = self.said.entry(*mine) {
            *place = Some(Stamped { value: (signed, destination), at });
        }
        for (other, (theirs, towards)) in others {
            let same = destination.is_none() || towards.is_none() || destination == towards;
            let capped = off >= RMB_MOST_NM || theirs.abs() >= RMB_MOST_NM;
            if !same || capped {
                continue;
            }
            let apart = (signed - theirs).abs();
            let grain = if mine == b"RMB" || &other == b"RMB" { XTE_GRAIN_NM } else { 0.0 };
            let opposite = signed * theirs < 0.0 && off > OPPOSITE_NM && theirs.abs() > OPPOSITE_NM;
            if !opposite && apart <= XTE_NM + grain + 1e-9 {
                self.disagree = 0;
                b.clear(Kind::RouteDisagrees, Origin::Source, Label::default());
                continue;
            }
            self.disagree += 1;
            if self.disagree >= LEAST {
                let (a, z) = (String::from_utf8_lossy(mine).into_owned(), String::from_utf8_lossy(&other).into_owned());
                b.raise(Kind::RouteDisagrees, Origin::Source, Label::default(), c.now, || {
                    let what = if opposite { ", and steer opposite ways" } else { "" };
                    seen(format!("{a} and {z} are {apart:.3} nm apart{what}"), &[("apart_nm", apart)])
                });
            }
        }
    }
}
