//! Places of a text in UTF-16 code units, as the text area of a page counts them.

/// The number of bytes between two known places.
const STEP: usize = 1024;

/// A text, and the number of code units before each step.
pub(crate) struct Places<'t> {
    text: &'t str,
    steps: Vec<(usize, usize)>,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let (mut steps, mut units, mut next) = (Vec::new(), 0, 0);
        for (at, c) in text.char_indices() {
            if at >= next {
                steps.push((at, units));
                next = at + STEP;
            }
            units += width(text, at, c);
        }
        Self { text, steps }
    }

    /// Returns the number of code units before a byte.
    pub(crate) fn units(&self, offset: usize) -> usize {
        let after = self.steps.partition_point(|(at, _)| *at <= offset);
        let (start, units) = self.steps[..after].last().copied().unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        let between = rest
            .char_indices()
            .take_while(|(at, _)| start + at < offset)
            .map(|(at, c)| width(self.text, start + at, c));
        units + between.sum::<usize>()
    }
}

/// Returns the number of code units of a character. A text area makes one line feed of CR LF.
fn width(text: &str, at: usize, c: char) -> usize {
    if c == '\r' && text.as_bytes().get(at + 1) == Some(&b'\n') {
        0
    } else {
        c.len_utf16()
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn places_are_counted_as_a_text_area_counts() {
        let text = "a\r\n\u{1F600}\u{e9}\rb";
        let places = Places::new(text);
        let units = |needle: char| places.units(text.find(needle).unwrap_or_default());
        assert_eq!((units('\u{1F600}'), units('\u{e9}'), units('b')), (2, 4, 6));
        assert_eq!(places.units(text.len()), 7);
        assert_eq!(Places::new("").units(3), 0);
    }

    #[test]
    fn every_place_is_that_of_a_count_from_the_start() {
        let text = "x\u{1F600}\r\n\u{e9}".repeat(700);
        let places = Places::new(&text);
        for (at, _) in text.char_indices() {
            let before = text.get(..at).unwrap_or_default();
            let units = before.encode_utf16().count() - before.matches("\r\n").count();
            // Between CR and LF, the line feed has not been counted yet.
            let is_between = before.ends_with('\r');
            assert_eq!(places.units(at), units - usize::from(is_between), "{at}");
        }
    }
}
