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

/// Removes each fix after which its own file would read worse, and says so in the help of the finding. `file_at`
/// returns the file of a path for display.
pub(crate) fn without_damage<'t>(
    told: &mut [Diagnostic],
    file_at: &dyn Fn(&str) -> Option<&'t TreeFile>,
) {
    for finding in told {
        let Some(fix) = &finding.fix else { continue };
        let file = file_at(&finding.path).and_then(|file| file.bytes.as_deref());
        let text = file.and_then(|bytes| std::str::from_utf8(bytes).ok());
        if text.is_some_and(|text| reads_worse(&finding.path, text, &fix.edits)) {
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

/// Returns whether a file reads worse after edits: its front matter, a field or a restraint is lost, or its body changes
/// though no edit is in the body.
pub(crate) fn reads_worse(path: &str, text: &str, edits: &[Edit]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.eq_ignore_ascii_case("SKILL.md") {
        skill_reads_worse(text, edits)
    } else if name.eq_ignore_ascii_case("openai.yaml") {
        policy_reads_worse(path, text, edits)
    } else {
        false
    }
}

fn skill_reads_worse(text: &str, edits: &[Edit]) -> bool {
    let before = SkillFile::read("SKILL.md", "", text.as_bytes());
    // Without front matter, nothing can be lost.
    let Some(Ok(document)) = &before.document else {
        return false;
    };
    let is_in_body = |edit: &Edit| edit.start >= document.body.start && !document.body.is_empty();
    if edits.iter().all(is_in_body) {
        return false;
    }
    let new = Patch::new(text, edits).text;
    let after = SkillFile::read("SKILL.md", "", new.as_bytes());
    let Some(Ok(new_document)) = &after.document else {
        return true;
    };
    let is_above_body = |edit: &Edit| edit.end <= document.yaml.end;
    let same_body = new_document.body.of(&new) == document.body.of(text);
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

fn policy_reads_worse(path: &str, text: &str, edits: &[Edit]) -> bool {
    let new = Patch::new(text, edits).text;
    let is_closed = |text: &str| OpenAiFile::read(path, text.as_bytes()).is_closed;
    let is_read = |text: &str| yaml::parse(text).is_ok();
    (is_closed(text) && !is_closed(&new)) || (is_read(text) && !is_read(&new))
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
        reads_worse("s/SKILL.md", TEXT, &[edit])
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
        assert!(!reads_worse("s/a.md", TEXT, &[edit]));
    }

    #[test]
    fn a_policy_reads_worse() {
        let text = "policy:\n  allow_implicit_invocation: false\n";
        let worse = |old: &str, new: &str| {
            let start = text.find(old).expect("the text");
            let edit = Edit::replace(Span::new(start, start + old.len()), new);
            reads_worse("s/agents/openai.yaml", text, &[edit])
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
