use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::text::span::Span;
use crate::view::skill::SkillView;
use crate::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::TextForm,
    level: Level::Warn,
    group: Group::File,
    summary: "`SKILL.md` begins with `---` and has LF line ends, no byte-order mark, and no tabs between fields",
    why: "Some clients look for the three bytes `---` and nothing else, and some YAML readers \
          refuse a tab wherever they require a space. Such a file is read here, and lost in those \
          clients.",
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

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let forms = view.document().map(|document| document.forms.as_slice());
    let forms = forms.unwrap_or_default().iter();
    let mut found: Vec<Diagnostic> = forms
        .map(|form| {
            let help = if form.edits.iter().all(|edit| edit.text.is_empty()) {
                "remove it"
            } else {
                "write `---`"
            };
            view.at(form.span, form.message)
                .help(help)
                .fix(Fix::safe(form.edits.clone()))
        })
        .collect();
    found.extend(lone_returns(view));
    found.extend(tabs(view));
    found
}

/// Carriage returns with no line feed: the end of a line to YAML, nothing to most editors.
fn lone_returns(view: &SkillView<'_>) -> Option<Diagnostic> {
    let yaml = view.document()?.yaml;
    let text = view.text().as_bytes();
    let places: Vec<Span> = memchr::memchr_iter(b'\r', yaml.of(view.text()).as_bytes())
        .map(|at| Span::new(yaml.start + at, yaml.start + at + 1))
        .filter(|place| text.get(place.end) != Some(&b'\n'))
        .collect();
    let edits = places.iter().map(|place| Edit::replace(*place, "\n"));
    let finding = view
        .at(
            *places.first()?,
            "a carriage return with no line feed ends a line here",
        )
        .help("remove it, or write a line feed");
    Some(finding.fix(Fix::guess(edits.collect())))
}

/// Tabs where YAML 1.2 allows them and other readers do not: outside quotes, blocks and comments.
fn tabs(view: &SkillView<'_>) -> Vec<Diagnostic> {
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
    let (mut between, mut inside) = (Vec::new(), Vec::new());
    for at in tabs.map(|at| yaml.start + at) {
        let place = Span::new(at, at + 1);
        match scalar_at(&scalars, at) {
            Some(Style::Plain) => inside.push(place),
            Some(_) => {}
            None if is_in_comment(text, at, &scalars) => {}
            None => between.push(place),
        }
    }
    let told = |places: Vec<Span>, message, fix: fn(Vec<Edit>) -> Fix| {
        let edits = places.iter().map(|place| Edit::replace(*place, " "));
        let finding = view.at(*places.first()?, message).help("write a space");
        Some(finding.fix(fix(edits.collect())))
    };
    let between = told(
        between,
        "a tab stands where other readers require a space",
        Fix::safe,
    );
    let inside = told(inside, "a tab stands in a text without quotes", Fix::guess);
    between.into_iter().chain(inside).collect()
}

/// The scalars of a node, in order of their places.
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

fn scalar_at(scalars: &[(Span, Style)], at: usize) -> Option<Style> {
    let count = scalars.partition_point(|(span, _)| span.start <= at);
    let (span, style) = scalars.get(count.checked_sub(1)?)?;
    (at < span.end).then_some(*style)
}

/// Whether a comment begins before `at` on its line.
fn is_in_comment(text: &str, at: usize, scalars: &[(Span, Style)]) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.get(start..).unwrap_or_default();
    line.match_indices('#')
        .any(|(hash, _)| scalar_at(scalars, start + hash).is_none())
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told;

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
                ["a tab stands where other readers require a space"]
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
            ["a tab stands in a text without quotes"]
        );
        assert_eq!(
            told("text-form", "license: one\rtwo: three"),
            ["a carriage return with no line feed ends a line here"]
        );
    }
}
