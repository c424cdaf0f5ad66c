use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::skill::document::{FormKind, TextForm};
use skills_format::text::lines::line_at;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::TextForm,
    level: Level::Warn,
    group: Group::File,
    summary: "`SKILL.md` begins with `---` and has LF line ends, no byte-order mark, and no tabs between fields",
    why: "Some clients look for the three bytes `---` and nothing else, and some YAML readers \
          refuse a tab wherever they require a space. Such a file is read here, and lost in those \
          clients. Lines that end with CR LF are information, unless a level is set: every client that was run reads \
          them, and git writes them on Windows.",
    bad: Example::Skill(
        "---\nname: release-notes\n\
         description: Writes release notes. Use when a version is published.\n...\n\n\
         List every merged change.\n",
    ),
    marks: "...",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let forms = view.document().map(|document| document.forms.as_slice());
    let forms = forms.unwrap_or_default().iter().enumerate();
    let mut found: Vec<Finding> = forms
        // One finding for one cause: `client-drops` names the clients.
        .filter(|(number, form)| view.mind(*number, form).is_empty())
        .map(|(_, form)| {
            let mut finding = view.at(RULE.id, form.span, form.message).help(works(form));
            if form.kind == FormKind::CarriageReturns {
                finding = finding.at_most(Severity::Info);
            }
            if form.edits.is_empty() {
                return finding;
            }
            finding.fix(Fix::safe(form.edits.clone()))
        })
        .collect();
    found.extend(tabs(view));
    found
}

/// Returns what to write in place of a form.
pub(crate) fn works(form: &TextForm) -> &'static str {
    if form.edits.is_empty() {
        "write `---`, and the text on a line of its own"
    } else if form.edits.iter().all(|edit| edit.text.is_empty()) {
        "remove it"
    } else if form.kind == FormKind::TextBefore {
        "move it below the front matter"
    } else {
        "write `---`"
    }
}

/// Reports tabs that YAML 1.2 allows and other readers refuse: outside of quotes, blocks and comments.
fn tabs(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let yaml = view.document().map(|document| document.yaml);
    let yaml = yaml.unwrap_or_default();
    let mut tabs = memchr::memchr_iter(b'\t', yaml.of(text).as_bytes()).peekable();
    let Some(Ok(node)) = view.skill.file.front_matter.as_ref() else {
        return Vec::new();
    };
    if tabs.peek().is_none() {
        return Vec::new();
    }
    let mut scalars = Vec::new();
    collect_scalars(node, &mut scalars);
    // Aliases and merge keys repeat values at a later place.
    scalars.sort_unstable_by_key(|(span, _)| (span.start, span.end));
    let comments = comments(text, yaml, &scalars);
    let (mut between, mut inside) = (Vec::new(), Vec::new());
    for at in tabs.map(|at| yaml.start + at) {
        let place = Span::new(at, at + 1);
        match scalar_at(&scalars, at).map(|(_, style)| style) {
            Some(Style::Plain) => inside.push(place),
            Some(_) => {}
            None if is_inside(&comments, at) => {}
            None => between.push(place),
        }
    }
    let told = |places: Vec<Span>, message, fix: fn(Vec<Edit>) -> Fix| {
        let edits = places.iter().map(|place| Edit::replace(*place, " "));
        let finding = view
            .at(RULE.id, *places.first()?, message)
            .help("write a space");
        Some(finding.fix(fix(edits.collect())))
    };
    let between = told(
        between,
        "a tab is used where other readers require a space",
        Fix::safe,
    );
    let inside = told(inside, "an unquoted value contains a tab", Fix::guess);
    between.into_iter().chain(inside).collect()
}

/// Collects the scalars of a node.
fn collect_scalars(node: &Node, found: &mut Vec<(Span, Style)>) {
    match &node.value {
        Value::Scalar(scalar) => found.push((node.span, scalar.style)),
        Value::Sequence(items) => {
            for item in items {
                collect_scalars(item, found);
            }
        }
        Value::Mapping(entries) => {
            for (key, value) in entries {
                collect_scalars(key, found);
                collect_scalars(value, found);
            }
        }
    }
}

fn scalar_at(scalars: &[(Span, Style)], at: usize) -> Option<(Span, Style)> {
    let count = scalars.partition_point(|(span, _)| span.start <= at);
    let (span, style) = scalars.get(count.checked_sub(1)?)?;
    (at < span.end).then_some((*span, *style))
}

/// Returns the comments in order, each from its `#` to the end of its line.
fn comments(text: &str, yaml: Span, scalars: &[(Span, Style)]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = yaml.start;
    while let Some(hash) = memchr::memchr(b'#', Span::new(at, yaml.end).of(text).as_bytes()) {
        at += hash;
        at = if let Some((scalar, _)) = scalar_at(scalars, at) {
            scalar.end
        } else {
            let line = line_at(text, at);
            found.push(line);
            line.end
        };
    }
    found
}

fn is_inside(comments: &[Span], at: usize) -> bool {
    let count = comments.partition_point(|comment| comment.start <= at);
    let comment = count.checked_sub(1).and_then(|last| comments.get(last));
    comment.is_some_and(|comment| at < comment.end)
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::rules::tests::{told, tree};
    use skills_check::Config;
    use skills_format::diagnostic::Severity;

    /// Every client that was run reads such a file, and git on Windows writes it: `--deny warnings` passes.
    #[test]
    fn line_ends_of_windows() {
        let text = "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n";
        for text in [text.replace('\n', "\r\n"), text.replacen('\n', "\r\n", 2)] {
            let tree = tree(&[("x/SKILL.md", text)]);
            let found = check("skills", &tree, &Config::default()).diagnostics;
            let told: Vec<_> = found
                .iter()
                .map(|it| (it.rule.as_str(), it.severity))
                .collect();
            assert_eq!(told, [("text-form", Severity::Info)]);
        }
    }

    #[test]
    fn tabs_and_returns() {
        for fields in [
            "license:\tMIT",
            "license: \tMIT",
            "license\t: MIT",
            "\t",
            "license: MIT\t# why",
            "license: \"MIT\"\t",
            "allowed-tools: [a,\tb]",
        ] {
            assert_eq!(
                told("text-form", fields),
                ["a tab is used where other readers require a space"]
            );
        }
        for fields in [
            "license: \"M\tIT\"",
            "license: |\n  M\tIT\n \n  x",
            "license: MIT # a\tb",
            "# a\tb",
        ] {
            assert!(told("text-form", fields).is_empty(), "{fields:?}");
        }
        assert_eq!(
            told("text-form", "license: M\tIT"),
            ["an unquoted value contains a tab"]
        );
    }
}
