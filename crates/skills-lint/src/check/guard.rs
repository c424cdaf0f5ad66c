//! Holds back fixes after which a file reads worse than before.

// A last line of defence, for the case that a rule gets its edits wrong: `--fix` writes files, and a broken front matter
// loses a skill or its restraint in silence.

use skills_format::OpenAiFile;
use skills_format::diagnostic::patch::Patch;
use skills_format::diagnostic::{Diagnostic, Edit};
use skills_format::name::nfc;
use skills_format::skill::file::SkillFile;
use skills_format::skill::spelling::Spelling;
use skills_format::text::prose::Prose;
use skills_format::text::span::Span;
use skills_format::tree::TreeFile;
use skills_format::yaml;
use skills_format::yaml::node::{Node, Value};
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

    /// Returns whether a text of the front matter is another text after edits.
    pub(crate) fn says_another(&self, edits: &[Edit]) -> bool {
        let Before::Skill(before) = &self.before else {
            return false;
        };
        self.is_at_stake(edits) && says_another(before, &Patch::new(self.text, edits).text)
    }

    /// Returns whether the file reads worse after edits: its front matter, a field or a restraint is lost, or a field or
    /// the body changes though no edit is in it.
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

/// Marks each safe fix as a guess after which a text of the front matter would be another text: all clients read the text
/// that was there before. Removes each fix after which its own file would read worse, and says so in the help of the finding. `file_at`
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
    for finding in told.iter_mut() {
        if let Some(fix) = &mut finding.fix
            && let Some(reading) = known.get(&*finding.path)
        {
            // The whole file is read again: only for a fix that can lose its mark.
            fix.safe = fix.safe && !reading.says_another(&fix.edits);
        }
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
    fields(node) < fields(old)
        || is_opened(true)
        || is_opened(false)
        || changes_elsewhere(old, node, edits)
}

/// Returns whether a field changes though no edit is in the field: its value is the alias of another value, or the fix
/// makes it into a part of the text above.
fn changes_elsewhere(old: &Node, new: &Node, edits: &[Edit]) -> bool {
    let is_edited = |span: Span| {
        edits
            .iter()
            .any(|edit| edit.start <= span.end && span.start <= edit.end)
    };
    let entries = old.entries();
    // A line that a fix adds below a field can belong to the field.
    let ends = entries.iter().skip(1).map(|(key, _)| key.span.start);
    let ends = ends.chain([usize::MAX]);
    entries.iter().zip(ends).any(|((key, value), end)| {
        let is_changed = || {
            let same = |(k, v): &(Node, Node)| k.as_str() == key.as_str() && is_same(v, value);
            !new.entries().iter().any(same)
        };
        !is_edited(Span::new(key.span.start, end)) && is_changed()
    })
}

fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Mapping(a), Value::Mapping(b)) => {
            let same =
                |((k, v), (l, w)): (&(Node, Node), &(Node, Node))| is_same(k, l) && is_same(v, w);
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (a, b) => a == b,
    }
}

/// The texts that a model or a person reads.
const TEXTS: [&str; 6] = [
    "name",
    "description",
    "when_to_use",
    "when-to-use",
    "license",
    "compatibility",
];

/// Returns whether a text of a file that parses is another text after edits. A list that becomes a text is not.
fn says_another(before: &SkillFile<'_>, new: &str) -> bool {
    let Some(Ok(old)) = &before.front_matter else {
        return false;
    };
    let after = SkillFile::read("SKILL.md", "", new.as_bytes());
    let Some(Ok(new)) = &after.front_matter else {
        return true;
    };
    let text = |node: &Node, key: &str| {
        let text = node.get(key)?.as_str()?.trim();
        Some(nfc(text).into_owned()).filter(|text| !text.is_empty())
    };
    let mut keys = TEXTS.iter();
    keys.any(|key| text(old, key).is_some_and(|old| text(new, key) != Some(old)))
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
    fn a_field_without_an_edit_stays() {
        let text =
            "---\nname: s\ndescription: &d Does it.\nmetadata:\n  a: b\nshort: *d\n---\nBody.\n";
        let reading = Reading::new("s/SKILL.md", text);
        let edit = |old: &str, new: &str| {
            let start = text.find(old).expect("the text");
            [Edit::replace(Span::new(start, start + old.len()), new)]
        };
        for (old, new, is_worse) in [
            ("Does it.", "Does more.", true),
            ("&d Does it.", "Does it.", true),
            ("*d", "\"*d\"", false),
            ("  a", "a", false),
            ("name: s", "name: s\nmore: x", false),
            ("name: s", "name: |\n ", false),
        ] {
            assert_eq!(
                reading.reads_worse(&edit(old, new)),
                is_worse,
                "{old} -> {new}"
            );
        }
        assert!(reading.says_another(&edit("it.", "it, too.")));
        assert!(!reading.says_another(&edit("Does it.", "\"Does it.\"")));
        assert!(!reading.says_another(&edit("a: b", "a: c")));
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
