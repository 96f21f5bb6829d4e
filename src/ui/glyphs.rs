//! The signs that are not letters, by name, in three sets: Unicode, ASCII, and what the font of a Linux console has.
//!
//! Every sign is one column wide. A view never writes a character above ASCII that does not come from here.

/// A set of signs. Each is exactly one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Which set this is.
    pub kind: GlyphSet,
    /// Horizontal rule.
    pub horizontal: &'static str,
    /// Vertical rule.
    pub vertical: &'static str,
    /// Corner of a frame.
    pub top_left: &'static str,
    /// Corner of a frame.
    pub top_right: &'static str,
    /// Corner of a frame.
    pub bottom_left: &'static str,
    /// Corner of a frame.
    pub bottom_right: &'static str,
    /// Where a rule meets a frame on the left.
    pub tee_right: &'static str,
    /// Where a rule meets a frame on the right.
    pub tee_left: &'static str,
    /// Where a rule meets a frame on top.
    pub tee_down: &'static str,
    /// Where a rule meets a frame at the bottom.
    pub tee_up: &'static str,
    /// Where two rules cross.
    pub cross: &'static str,
    /// Text was cut off here.
    pub more: &'static str,
    /// Degree sign.
    pub degree: &'static str,
    /// Arrow.
    pub up: &'static str,
    /// Arrow.
    pub down: &'static str,
    /// Arrow.
    pub left: &'static str,
    /// Arrow.
    pub right: &'static str,
    /// Small separator between two words.
    pub dot: &'static str,
    /// The play head in a list.
    pub play_head: &'static str,
    /// A skipped line in a list.
    pub skipped: &'static str,
    /// Done part of a progress bar.
    pub bar_done: &'static str,
    /// Position on a progress bar.
    pub bar_head: &'static str,
    /// Rest of a progress bar.
    pub bar_rest: &'static str,
    /// A gap in the log on a progress bar.
    pub bar_gap: &'static str,
    /// Bad lines on a progress bar.
    pub bar_bad: &'static str,
    /// A mark on a progress bar.
    pub bar_mark: &'static str,
    /// An end of the loop range on a progress bar.
    pub bar_loop: &'static str,
    /// Filled part of a meter.
    pub meter_full: &'static str,
    /// Empty part of a meter.
    pub meter_empty: &'static str,
    /// Nine heights from nothing to full, for a line of rates.
    pub levels: [&'static str; 9],
    /// Own vessel, heading by eighths of the circle from north, clockwise.
    pub vessel: [&'static str; 8],
    /// An AIS target.
    pub target: &'static str,
    /// An AIS target that is selected.
    pub target_selected: &'static str,
    /// The destination.
    pub destination: &'static str,
    /// A waypoint of the track.
    pub waypoint: &'static str,
    /// The cursor on the chart.
    pub crosshair: &'static str,
    /// The middle of a dial.
    pub hub: &'static str,
    /// Something chosen in a list of choices.
    pub chosen: &'static str,
    /// Something not chosen in a list of choices.
    pub not_chosen: &'static str,
}

/// The sets by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GlyphSet {
    /// For a terminal in a UTF-8 locale.
    #[default]
    Unicode,
    /// For every other one.
    Ascii,
    /// For the Linux console in a UTF-8 locale: rules, blocks, degree, no braille, few arrows.
    Linux,
}

impl GlyphSet {
    /// The signs of the set.
    pub const fn glyphs(self) -> &'static Glyphs {
        match self {
            Self::Unicode => &UNICODE,
            Self::Ascii => &ASCII,
            Self::Linux => &LINUX,
        }
    }
}

/// For a terminal in a UTF-8 locale.
pub static UNICODE: Glyphs = Glyphs {
    kind: GlyphSet::Unicode,
    horizontal: "─",
    vertical: "│",
    top_left: "┌",
    top_right: "┐",
    bottom_left: "└",
    bottom_right: "┘",
    tee_right: "├",
    tee_left: "┤",
    tee_down: "┬",
    tee_up: "┴",
    cross: "┼",
    more: "…",
    degree: "°",
    up: "↑",
    down: "↓",
    left: "←",
    right: "→",
    dot: "·",
    play_head: "▶",
    skipped: "#",
    bar_done: "━",
    bar_head: "●",
    bar_rest: "─",
    bar_gap: "┊",
    bar_bad: "!",
    bar_mark: "▼",
    bar_loop: "◆",
    meter_full: "█",
    meter_empty: "░",
    levels: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    vessel: ["▲", "◥", "▶", "◢", "▼", "◣", "◀", "◤"],
    target: "△",
    target_selected: "▲",
    destination: "◎",
    waypoint: "○",
    crosshair: "┼",
    hub: "•",
    chosen: "●",
    not_chosen: "○",
};

/// For a terminal that only has ASCII.
pub static ASCII: Glyphs = Glyphs {
    kind: GlyphSet::Ascii,
    horizontal: "-",
    vertical: "|",
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    tee_right: "+",
    tee_left: "+",
    tee_down: "+",
    tee_up: "+",
    cross: "+",
    more: ">",
    degree: " ",
    up: "^",
    down: "v",
    left: "<",
    right: ">",
    dot: ".",
    play_head: ">",
    skipped: "#",
    bar_done: "=",
    bar_head: ">",
    bar_rest: ".",
    bar_gap: ":",
    bar_bad: "!",
    bar_mark: "m",
    bar_loop: "B",
    meter_full: "#",
    meter_empty: ".",
    levels: [" ", ".", ":", "-", "=", "+", "*", "#", "%"],
    vessel: ["^", "/", ">", "\\", "v", "/", "<", "\\"],
    target: "A",
    target_selected: "@",
    destination: "X",
    waypoint: "o",
    crosshair: "+",
    hub: "o",
    chosen: "*",
    not_chosen: "-",
};

/// For the Linux console: only what its usual fonts (Lat15, CP437) hold.
pub static LINUX: Glyphs = Glyphs {
    kind: GlyphSet::Linux,
    horizontal: "─",
    vertical: "│",
    top_left: "┌",
    top_right: "┐",
    bottom_left: "└",
    bottom_right: "┘",
    tee_right: "├",
    tee_left: "┤",
    tee_down: "┬",
    tee_up: "┴",
    cross: "┼",
    degree: "°",
    dot: "·",
    bar_done: "█",
    bar_rest: "░",
    meter_full: "█",
    meter_empty: "░",
    bar_head: ">",
    crosshair: "┼",
    ..ASCII
};

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    /// Every sign of a set. The pattern names every field, so that a new one cannot be forgotten here.
    fn all(set: &Glyphs) -> Vec<&'static str> {
        let Glyphs {
            kind: _,
            horizontal,
            vertical,
            top_left,
            top_right,
            bottom_left,
            bottom_right,
            tee_right,
            tee_left,
            tee_down,
            tee_up,
            cross,
            more,
            degree,
            up,
            down,
            left,
            right,
            dot,
            play_head,
            skipped,
            bar_done,
            bar_head,
            bar_rest,
            bar_gap,
            bar_bad,
            bar_mark,
            bar_loop,
            meter_full,
            meter_empty,
            levels,
            vessel,
            target,
            target_selected,
            destination,
            waypoint,
            crosshair,
            hub,
            chosen,
            not_chosen,
        } = *set;
        let mut all = vec![
            horizontal,
            vertical,
            top_left,
            top_right,
            bottom_left,
            bottom_right,
            tee_right,
            tee_left,
            tee_down,
            tee_up,
            cross,
            more,
            degree,
            up,
            down,
            left,
            right,
            dot,
            play_head,
            skipped,
            bar_done,
            bar_head,
            bar_rest,
            bar_gap,
            bar_bad,
            bar_mark,
            bar_loop,
            meter_full,
            meter_empty,
            target,
            target_selected,
            destination,
            waypoint,
            crosshair,
            hub,
            chosen,
            not_chosen,
        ];
        all.extend(levels);
        all.extend(vessel);
        all
    }

    #[test]
    fn every_sign_is_one_column() {
        for set in [&UNICODE, &ASCII, &LINUX] {
            for sign in all(set) {
                assert_eq!((sign.chars().count(), sign.width()), (1, 1), "{sign:?} in {:?}", set.kind);
            }
        }
    }

    #[test]
    fn the_ascii_set_is_ascii_and_the_console_set_stays_within_code_page_437() {
        assert!(all(&ASCII).iter().all(|s| s.is_ascii()));
        for sign in all(&LINUX) {
            let known = "─│┌┐└┘├┤┬┴┼°·█░▒▓▄▀▌▐".contains(sign);
            assert!(sign.is_ascii() || known, "{sign:?}");
        }
    }

    #[test]
    fn a_progress_bar_can_be_read_in_every_set() {
        for set in [&UNICODE, &ASCII, &LINUX] {
            let signs =
                [set.bar_done, set.bar_rest, set.bar_head, set.bar_gap, set.bar_bad, set.bar_mark, set.bar_loop];
            for (i, a) in signs.iter().enumerate() {
                assert!(!signs[i + 1..].contains(a), "{a:?} twice in {:?}", set.kind);
            }
        }
    }

    #[test]
    fn each_set_says_which_it_is() {
        for kind in [GlyphSet::Unicode, GlyphSet::Ascii, GlyphSet::Linux] {
            assert_eq!(kind.glyphs().kind, kind);
        }
    }
}
