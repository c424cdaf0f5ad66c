//! The diagnostics that a person does not know yet.

use skills_runtime::Diagnostic;

/// Returns the diagnostics that were not told: each load gives all. A diagnostic of the same rule about the same file with
/// the same words is known, also if an edit moved its line.
pub(super) fn new<'d>(now: &'d [Diagnostic], known: &[Diagnostic]) -> Vec<&'d Diagnostic> {
    // What stayed where it was first: of two with the same words, the one that was added is new.
    let mut known: Vec<&Diagnostic> = known.iter().collect();
    let mut new: Vec<&Diagnostic> = now.iter().collect();
    for is_same in [Diagnostic::eq, says_the_same] {
        new.retain(|found| {
            let place = known.iter().position(|it| is_same(it, found));
            place.map(|place| known.swap_remove(place)).is_none()
        });
    }
    new
}

fn says_the_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    (a.rule, a.severity, &a.path, &a.message) == (b.rule, b.severity, &b.path, &b.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::Severity;
    use skills_format::text::span::Position;

    #[test]
    fn a_diagnostic_that_moved_is_known_and_a_second_one_is_new() {
        let at = |line: usize, message: &str| {
            let path = "greet/SKILL.md";
            let rule = skills_format::RuleId::Unfinished;
            let mut found = Diagnostic::new(rule, Severity::Warning, path, message);
            found.start = Position {
                offset: 0,
                line,
                column: 1,
            };
            found
        };
        let told = |now: &[Diagnostic], known: &[Diagnostic]| -> Vec<(usize, String)> {
            let new = new(now, known).into_iter();
            new.map(|it| (it.start.line, it.message.to_string()))
                .collect()
        };
        let known = [at(3, "a"), at(9, "b")];
        assert_eq!(told(&known, &known), []);
        assert_eq!(told(&[at(5, "a"), at(11, "b")], &known), []);
        let second = [at(2, "a"), at(3, "a"), at(9, "c")];
        assert_eq!(
            told(&second, &known),
            [(2, "a".to_owned()), (9, "c".to_owned())]
        );
        let mut error = at(3, "a");
        error.severity = Severity::Error;
        assert_eq!(told(&[error], &known), [(3, "a".to_owned())]);
    }
}
