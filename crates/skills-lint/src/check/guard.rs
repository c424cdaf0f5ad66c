//! Holds back fixes after which a file reads worse than before.

// A last line of defence, for the case that a rule gets its edits wrong: `--fix` writes files, and a broken front matter
// loses a skill or its restraint in silence.

use skills_format::OpenAiFile;
use skills_format::diagnostic::patch::Patch;
use skills_format::diagnostic::{Diagnostic, Edit};
use skills_format::skill::file::SkillFile;
use skills_format::skill::spelling::Spelling;
use skills_format::text::prose::Prose;
use skills_format::tree::TreeFile;
use skills_format::yaml;
use skills_format::yaml::node::Node;
use std::collections::BTreeMap;

/// The most fixes that are tried alone in the files whose fixes together do harm.
pub(crate) const MAX_TRIES: usize = 200;

/// A file before its fixes: what they can harm.
pub(crate) struct Reading<'t> {
    path: String,
    text: &'t str,
    before: Before<'t>,
    /// The edits that can harm.
    edits: Vec<Edit>,
    /// Together these edits do harm.
    is_in_doubt: bool,
}

enum Before<'t> {
    /// A `SKILL.md`. Boxed, since the other forms are small.
    Skill(Box<SkillFile<'t>>),
    /// An `agents/openai.yaml`.
    Policy,
    /// Another file: no fix can harm it.
    Other,
}

impl<'t> Reading<'t> {
    pub(crate) fn new(path: &str, text: &'t str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let before = if name.eq_ignore_ascii_case("SKILL.md") {
            Before::Skill(Box::new(SkillFile::read("SKILL.md", "", text.as_bytes())))
        } else if name.eq_ignore_ascii_case("openai.yaml") {
            Before::Policy
        } else {
            Before::Other
        };
        Self {
            path: path.to_owned(),
            text,
            before,
            edits: Vec::new(),
            is_in_doubt: false,
        }
    }

    /// Returns whether one of the edits can harm the file.
    pub(crate) fn is_at_stake(&self, edits: &[Edit]) -> bool {
        match &self.before {
            Before::Skill(before) => match &before.document {
                Some(Ok(document)) if !document.body.is_empty() => {
                    edits.iter().any(|edit| edit.start < document.body.start)
                }
                Some(Ok(_)) => !edits.is_empty(),
                // Without front matter, nothing can be lost.
                _ => false,
            },
            Before::Policy => !edits.is_empty(),
            Before::Other => false,
        }
    }

    /// Returns whether the file reads worse after edits: its front matter, a field or a restraint is lost, or its body
    /// changes though no edit is in the body.
    pub(crate) fn reads_worse(&self, edits: &[Edit]) -> bool {
        if !self.is_at_stake(edits) {
            return false;
        }
        let new = Patch::new(self.text, edits).text;
        match &self.before {
            Before::Skill(before) => skill_reads_worse(before, self.text, &new, edits),
            Before::Policy => policy_reads_worse(&self.path, self.text, &new),
            Before::Other => false,
        }
    }
}

/// Removes each fix after which its own file would read worse, and says so in the help of the finding. `file_at`
/// returns the file of a path for display.
pub(crate) fn without_damage<'t>(
    told: &mut [Diagnostic],
    file_at: &dyn Fn(&str) -> Option<&'t TreeFile>,
) {
    let mut known: BTreeMap<String, Reading<'t>> = BTreeMap::new();
    for finding in told.iter() {
        let Some(fix) = &finding.fix else { continue };
        let read = || {
            let file = file_at(&finding.path).and_then(|file| file.bytes.as_deref());
            let text = file.and_then(|bytes| std::str::from_utf8(bytes).ok());
            Reading::new(&finding.path, text.unwrap_or_default())
        };
        let reading = known.entry(finding.path.clone()).or_insert_with(read);
        if reading.is_at_stake(&fix.edits) {
            reading.edits.extend(fix.edits.iter().cloned());
        }
    }
    for reading in known.values_mut() {
        reading.is_in_doubt = reading.reads_worse(&reading.edits);
    }
    // A file with one wrong fix has few others. Thousands are not tried: each is a reading of the whole file.
    let mut tries = MAX_TRIES;
    for finding in told {
        let Some(fix) = &finding.fix else { continue };
        let Some(reading) = known.get(&*finding.path) else {
            continue;
        };
        if !reading.is_in_doubt || !reading.is_at_stake(&fix.edits) {
            continue;
        }
        let is_tried = tries > 0;
        tries = tries.saturating_sub(1);
        if !is_tried || reading.reads_worse(&fix.edits) {
            finding.fix = None;
            let help = std::mem::take(&mut finding.help);
            finding.help = told_in(help);
        }
    }
}

fn told_in(help: Prose) -> Prose {
    let is_empty = help.is_empty();
    let help = if is_empty {
        Prose::from("edit it by hand")
    } else {
        help.words(" by hand")
    };
    help.words(": after an automatic fix, the file would not be read as before")
}

fn skill_reads_worse(before: &SkillFile<'_>, text: &str, new: &str, edits: &[Edit]) -> bool {
    // Without front matter, nothing can be lost.
    let Some(Ok(document)) = &before.document else {
        return false;
    };
    let after = SkillFile::read("SKILL.md", "", new.as_bytes());
    let Some(Ok(new_document)) = &after.document else {
        return true;
    };
    let is_above_body = |edit: &Edit| edit.end <= document.yaml.end;
    let same_body = new_document.body.of(new) == document.body.of(text);
    if edits.iter().all(is_above_body) && !same_body {
        return true;
    }
    let Some(Ok(old)) = &before.front_matter else {
        return false;
    };
    let Some(Ok(node)) = &after.front_matter else {
        return true;
    };
    let restrains = |spellings: &[Spelling], is_for_model: bool| {
        spellings
            .iter()
            .any(|one| one.is_for_model() == is_for_model)
    };
    let (closed, still) = (before.closed_by(), after.closed_by());
    let is_opened =
        |is_for_model| restrains(&closed, is_for_model) && !restrains(&still, is_for_model);
    fields(node) < fields(old) || is_opened(true) || is_opened(false)
}

/// Returns the number of fields that have a value.
fn fields(front_matter: &Node) -> usize {
    let entries = front_matter.entries().iter();
    entries.filter(|(_, value)| !value.is_null()).count()
}

fn policy_reads_worse(path: &str, text: &str, new: &str) -> bool {
    let is_closed = |text: &str| OpenAiFile::read(path, text.as_bytes()).is_closed;
    let is_read = |text: &str| yaml::parse(text).is_ok();
    (is_closed(text) && !is_closed(new)) || (is_read(text) && !is_read(new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::text::span::Span;

    const TEXT: &str =
        "---\nname: s\ndescription: Does it.\ndisable-model-invocation: |-\n  yes\n---\nBody.\n";

    fn worse(old: &str, new: &str) -> bool {
        let start = TEXT.find(old).expect("the text");
        let edit = Edit::replace(Span::new(start, start + old.len()), new);
        Reading::new("s/SKILL.md", TEXT).reads_worse(&[edit])
    }

    #[test]
    fn what_reads_worse() {
        for (old, new) in [
            ("yes\n", "true"),
            ("---\nBody", "--\nBody"),
            ("description: Does it.\n", ""),
            ("description: Does it.", "description: \"Does it."),
            ("description: Does it.", "description: Does it.\n---\n"),
            ("yes", "no"),
            ("disable-model-invocation", "x-other"),
            ("---\nname", "name"),
        ] {
            assert!(worse(old, new), "{old:?} -> {new:?}");
        }
        for (old, new) in [
            ("|-\n  yes", "true"),
            ("Body.", "---\n"),
            ("name: s", "name: t"),
            ("description: Does it.", "description: \"Does it.\""),
            ("description", "Description"),
        ] {
            assert!(!worse(old, new), "{old:?} -> {new:?}");
        }
        let edit = Edit::replace(Span::new(0, 1), "");
        assert!(!Reading::new("s/a.md", TEXT).reads_worse(&[edit]));
    }

    #[test]
    fn a_policy_reads_worse() {
        let text = "policy:\n  allow_implicit_invocation: false\n";
        let worse = |old: &str, new: &str| {
            let start = text.find(old).expect("the text");
            let edit = Edit::replace(Span::new(start, start + old.len()), new);
            Reading::new("s/agents/openai.yaml", text).reads_worse(&[edit])
        };
        assert!(worse("false", "true") && worse("policy", "a: b: policy"));
        assert!(!worse("false\n", "false # closed\n"));
    }

    /// The finding stays, and says why nothing is written.
    #[test]
    fn the_finding_says_so() {
        use skills_format::diagnostic::rule_id::RuleId;
        use skills_format::diagnostic::{Fix, Severity};
        let tree = crate::rules::tests::tree(&[("s/SKILL.md", TEXT)]);
        let start = TEXT.find("yes\n").expect("the text");
        let edit = Edit::replace(Span::new(start, start + 4), "true");
        let finding = Diagnostic::new(RuleId::FieldType, Severity::Warning, "s/SKILL.md", "m");
        let mut told = [finding.help("write `true`").fix(Fix::safe(vec![edit]))];
        without_damage(&mut told, &|path| tree.get(path));
        assert_eq!(told[0].fix, None);
        assert_eq!(
            &*told[0].help,
            "write `true` by hand: after an automatic fix, the file would not be read as before"
        );
    }
}
