//! The lines that an agent prints on standard error while it works.

use std::sync::Arc;

/// Maximum bytes of a line. The rest of a longer line is left out, and the line ends with `…`.
const MOST_LINE: usize = 1024;

/// A function that receives the lines of an agent's standard error.
pub type AgentProgress = Arc<dyn Fn(&str) + Send + Sync>;

/// Returns a receiver that drops the lines.
pub fn no_progress() -> AgentProgress {
    Arc::new(|_| {})
}

/// Splits bytes into lines.
#[derive(Debug, Default)]
pub struct ErrorLines {
    held: Vec<u8>,
    /// True if the end of the present line is left out.
    is_cut: bool,
}

impl ErrorLines {
    /// Adds bytes, and passes on each line that is complete. A carriage return ends a line too: programs redraw their
    /// progress with it. Empty lines are left out.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(&str)) {
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let (text, ends) = match part.split_last() {
                Some((b'\n' | b'\r', text)) => (text, true),
                _ => (part, false),
            };
            let room = MOST_LINE.saturating_sub(self.held.len());
            self.is_cut |= text.len() > room;
            self.held.extend(text.iter().take(room));
            if ends {
                self.finish(each);
            }
        }
    }

    /// Passes on the line that has no end.
    pub fn finish(&mut self, each: &mut dyn FnMut(&str)) {
        let line = std::mem::take(&mut self.held);
        let end = if std::mem::take(&mut self.is_cut) {
            "…"
        } else {
            ""
        };
        let line = String::from_utf8_lossy(&line);
        if !line.trim().is_empty() {
            each(&format!("{line}{end}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(parts: &[&[u8]]) -> Vec<String> {
        let mut found = Vec::new();
        let mut lines = ErrorLines::default();
        for part in parts {
            lines.push(part, &mut |line| found.push(line.to_owned()));
        }
        lines.finish(&mut |line| found.push(line.to_owned()));
        found
    }

    #[test]
    fn lines_are_whole() {
        assert_eq!(lines(&[b"a\nb", b"c\n\n", b"d"]), ["a", "bc", "d"]);
        assert_eq!(lines(&[b"1 %\r2 %\r\n"]), ["1 %", "2 %"]);
        assert_eq!(lines(&[b"odd \xff"]), ["odd \u{fffd}"]);
        assert_eq!(lines(&[]), [""; 0]);
    }

    #[test]
    fn a_huge_line_is_cut_and_the_next_is_whole() {
        let huge = vec![b'x'; 3 * MOST_LINE];
        let found = lines(&[&huge, &huge, b"\nshort\n"]);
        assert_eq!(
            found,
            [format!("{}…", "x".repeat(MOST_LINE)), "short".to_owned()]
        );
    }
}
