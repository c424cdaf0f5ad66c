//! Lengths in a picture.

use skills_lint::render::masked;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    pub(crate) fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub(crate) fn area(self) -> f64 {
        self.width * self.height
    }

    /// Removes a margin on each side.
    pub(crate) fn inset(self, margin: f64) -> Self {
        let width = (self.width - 2.0 * margin).max(0.0);
        let height = (self.height - 2.0 * margin).max(0.0);
        Self::new(self.x + margin, self.y + margin, width, height)
    }

    /// Removes a strip at the top.
    pub(crate) fn below(self, strip: f64) -> Self {
        let strip = strip.min(self.height);
        Self::new(self.x, self.y + strip, self.width, self.height - strip)
    }
}

/// Converts a count to a length.
#[expect(clippy::cast_precision_loss, reason = "a picture shows fewer digits")]
pub(crate) fn real(number: usize) -> f64 {
    number as f64
}

/// Estimates the width of a text with a font size of 11 units.
pub(crate) fn width(text: &str) -> f64 {
    let wide = |c: char| if c.is_ascii() { 6.3 } else { 11.0 };
    text.chars().map(wide).sum()
}

/// Breaks a name after its hyphens into lines of a width. Returns `None` if a part is wider, or more than `most` lines are
/// needed: a name that is cut says less than none.
pub(crate) fn wrapped(name: &str, room: f64, most: usize) -> Option<Vec<String>> {
    let name = &*masked(name);
    let mut lines: Vec<String> = Vec::new();
    for part in name.split_inclusive(['-', '_', ' ']) {
        if width(part.trim_end()) > room {
            return None;
        }
        match lines.last_mut() {
            Some(line) if width(line) + width(part.trim_end()) <= room => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    (lines.len() <= most).then_some(lines)
}

/// Minimum characters of a text that is cut to fit.
const FEWEST: usize = 4;

/// Cuts a text to a width. Returns `None` if fewer than [`FEWEST`] characters fit.
pub(crate) fn fitted(text: &str, room: f64) -> Option<String> {
    // A key that is cut is not recognized any more.
    let text = &*masked(text);
    if width(text) <= room {
        return Some(text.to_owned());
    }
    let mut fit = String::new();
    let mut left = room - width("…");
    for c in text.chars() {
        left -= width(c.encode_utf8(&mut [0; 4]));
        if left < 0.0 {
            break;
        }
        fit.push(c);
    }
    (fit.chars().count() >= FEWEST).then(|| fit + "…")
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn names_are_wrapped_and_never_cut() {
        let lines = |room: f64, most| wrapped("finish-a-branch", room, most);
        assert_eq!(lines(100.0, 1).expect("one line"), ["finish-a-branch"]);
        assert_eq!(lines(60.0, 2).expect("two lines"), ["finish-a-", "branch"]);
        assert_eq!(lines(60.0, 1), None);
        assert_eq!(lines(40.0, 3), None, "finish- has 7 characters");
    }
}
