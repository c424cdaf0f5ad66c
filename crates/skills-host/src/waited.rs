//! The words for a person who waits for a program.

use std::time::Duration;

/// The time after which a person is told what is waited for: most calls have ended by then.
const PATIENCE: Duration = Duration::from_millis(300);

/// What is waited for, and what was last told of it.
#[derive(Debug)]
pub struct Waited<'w> {
    program: &'w str,
    /// What the program does; empty if its name says so.
    doing: &'w str,
    told: String,
}

impl<'w> Waited<'w> {
    /// Creates the words. `program` can be a path; `doing` is empty if the name of the program says what it does.
    pub fn new(program: &'w str, doing: &'w str) -> Self {
        let program = program.rsplit('/').next().unwrap_or(program);
        Self {
            program,
            doing,
            told: String::new(),
        }
    }

    /// Returns whether a person is told by now.
    pub fn is_told(time: Duration) -> bool {
        time >= PATIENCE
    }

    /// Shows the words after a time, and again when the time or the last line of the program has changed.
    pub fn tell(&mut self, time: Duration, line: &str, show: &dyn Fn(&str)) {
        if !Self::is_told(time) {
            return;
        }
        let now = self.words(time, line);
        if now != self.told {
            show(&now);
            self.told = now;
        }
    }

    fn words(&self, time: Duration, line: &str) -> String {
        let Self { program, doing, .. } = self;
        // Tenths show at once that the time runs.
        let time = match time.as_secs() {
            0..10 => format!("{}.{} s", time.as_secs(), time.subsec_millis() / 100),
            10..120 => format!("{} s", time.as_secs()),
            seconds => format!("{} min", seconds / 60),
        };
        let parts = [*doing, line].into_iter().filter(|part| !part.is_empty());
        let parts: Vec<&str> = parts.collect();
        let colon = if parts.is_empty() { "" } else { ": " };
        format!(
            "waiting for {program}, {time} (Ctrl-C ends it){colon}{}",
            parts.join(": ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn told_after_a_time() {
        let seen = RefCell::new(Vec::new());
        let show = |line: &str| seen.borrow_mut().push(line.to_owned());
        let mut waited = Waited::new("/usr/bin/git", "read https://a.example/b");
        for (millis, line) in [
            (0, ""),
            (299, "Receiving"),
            (300, ""),
            (310, ""),
            (1290, "Receiving"),
            (12_345, "Receiving"),
            (12_999, "Receiving"),
            (125_000, ""),
        ] {
            waited.tell(Duration::from_millis(millis), line, &show);
        }
        let begin = |time: &str| {
            format!("waiting for git, {time} (Ctrl-C ends it): read https://a.example/b")
        };
        let expected = [
            begin("0.3 s"),
            begin("1.2 s") + ": Receiving",
            begin("12 s") + ": Receiving",
            begin("2 min"),
        ];
        assert_eq!(*seen.borrow(), expected);
        let mut bare = Waited::new("curl", "");
        bare.tell(Duration::from_secs(1), "", &show);
        assert_eq!(
            seen.borrow().last().unwrap(),
            "waiting for curl, 1.0 s (Ctrl-C ends it)"
        );
    }
}
