use crate::client::{Behaviour, Condition, DropReason, after_folder, parts_on};
use crate::rules::example::{Example, with_fields};
use crate::rules::file::text_form::works;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::loss::{MISREAD, Part};
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::text::lines::line_at;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ClientDrops,
    level: Level::Deny,
    group: Group::Portability,
    summary: "no client drops the skill, or reads another description",
    why: "Every client has its own parser. Some refuse a file that others accept: they leave the skill out, or \
          take the description from another place. If no clients are named, only the most used clients are \
          reported.",
    bad: Example::Configured {
        config: "clients = [\"opencode\"]\n",
        files: &[(
            "2048/SKILL.md",
            crate::rules::example::Content::Text(
                "---\nname: 2048\ndescription: Plays a game. Use when a person wants to play.\n---\n\n\
                 Draw the board.\n",
            ),
        )],
    },
    marks: "2048",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = forms(view);
    let dashes = dashes(view);
    found.extend(others(view, dashes.is_some()));
    found.extend(dashes);
    found.extend(scalar(view, "name", Condition::PlainName));
    found.extend(scalar(view, "description", Condition::PlainDescription));
    found.extend(place(view));
    found
}

fn forms(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, form) in view.forms().iter().enumerate() {
        let on = view.mind(number, form);
        if on.is_empty() {
            continue;
        }
        let mut finding = view.about_clients(RULE.id, form.span, form.message, &on, works(form));
        if !form.edits.is_empty() {
            // A comment that moves below the front matter is a part of the body then.
            let is_moved = form.edits.iter().any(|edit| edit.text.contains("<!--"));
            finding.fix = Some(Fix {
                safe: !is_moved,
                edits: form.edits.clone(),
            });
        }
        found.push(finding);
    }
    found
}

/// Reports what no form or value explains: the reader of a client loses the skill all the same. Dashes inside the front
/// matter explain another description.
fn others(view: &SkillView<'_>, has_dashes: bool) -> Vec<Finding> {
    let mut reasons: Vec<(DropReason, Vec<Behaviour<'_>>)> = Vec::new();
    for lost in view.losses().iter().filter(|lost| lost.is_unexplained()) {
        if lost.drop == MISREAD && has_dashes {
            continue;
        }
        let (reason, one) = (lost.drop, lost.behaviour(Condition::Never));
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, all)) => all.push(one),
            None => reasons.push((reason, vec![one])),
        }
    }
    let found = reasons.iter().map(|(reason, on)| {
        let mut node = view.fields();
        for key in reason.key.split('.') {
            node = node.and_then(|node| node.get(key));
        }
        let span = node.map_or_else(|| view.opening(), |node| node.span);
        view.about_clients(RULE.id, span, reason.what, on, reason.works)
    });
    found.collect()
}

/// Reports the first `---` inside the front matter: some clients end the front matter there.
fn dashes(view: &SkillView<'_>) -> Option<Finding> {
    let yaml = view.document()?.yaml;
    let at = yaml.start + memchr::memmem::find(yaml.of(view.text()).as_bytes(), b"---")?;
    let before = view.text().get(..at)?.rsplit('\n').next()?;
    let after = line_at(view.text(), at).of(view.text());
    let mut on = view.on(Condition::DashesInside);
    if before.trim().is_empty() && after.trim() == "---" {
        on.extend(view.on(Condition::DashesInBlock));
    }
    let length = view.text().get(at..)?.bytes().take_while(|&b| b == b'-');
    let span = Span::new(at, at + length.count());
    let works = "write two hyphens, or a dash of another kind";
    let what = "the front matter contains `---`";
    // What stands before is read.
    let is_after = |key: &&str| {
        view.field(key)
            .is_some_and(|(_, value)| value.span.end > at)
    };
    let loses = ["name", "description", "disable-model-invocation"]
        .iter()
        .any(is_after);
    if on.is_empty() || !loses && !view.tree.scope.clients.are_named() {
        return None;
    }
    let finding = view.about_clients(RULE.id, span, what, &on, works);
    Some(if loses {
        finding
    } else {
        finding.at_most(Severity::Warning)
    })
}

/// Reports a text that YAML reads as another value.
fn scalar(view: &SkillView<'_>, key: &'static str, condition: Condition) -> Option<Finding> {
    let (_, node) = view.field(key)?;
    let what = another_value(node);
    let mut on = view.mind_part(Part::Field(key), condition);
    on.retain(|one| one.client.reads.is_some() || what.is_some());
    if on.is_empty() {
        return None;
    }
    let written = node.span.of(view.text());
    // YAML 1.1 has more forms of numbers: `1_000`, `1:30`.
    let what = what.map_or("a number in YAML 1.1".to_owned(), |what| {
        format!("{what} in YAML")
    });
    let finding = view.about_clients(
        RULE.id,
        node.span,
        &format!("the {key} `{written}` is {what}"),
        &on,
        &format!("write `\"{written}\"`"),
    );
    let edit = Edit::replace(node.span, format!("\"{written}\""));
    Some(finding.fix(Fix::safe(vec![edit])))
}

/// Returns the kind of a value that a reader of YAML does not take for a text.
fn another_value(node: &Node) -> Option<&'static str> {
    let Value::Scalar(scalar) = &node.value else {
        return None;
    };
    if scalar.style != Style::Plain || node.is_null() {
        return None;
    }
    match node.kind() {
        "text" => is_date(&scalar.text).then_some("a date"),
        kind => Some(kind),
    }
}

/// Returns whether a plain scalar is a date or a time: `2026-01-02`, `2026-01-02T03:04:05Z`.
fn is_date(text: &str) -> bool {
    let (day, rest) = text.split_at_checked(10).unwrap_or_default();
    let is_day = day.char_indices().all(|(at, c)| match at {
        4 | 7 => c == '-',
        _ => c.is_ascii_digit(),
    });
    !day.is_empty() && is_day && (rest.is_empty() || rest.starts_with(['T', 't', ' ']))
}

/// Reports a folder in which a client does not look.
fn place(view: &SkillView<'_>) -> Vec<Finding> {
    let shown = view.tree.shown(view.skill.dir);
    // The folders of clients are hidden.
    if parts_on(&shown).next().is_none() {
        return Vec::new();
    }
    let too_deep = |one: &Behaviour<'_>| {
        below(&shown, one).is_some_and(|path| path.split('/').count() > one.fact.limit)
    };
    let is_hidden = |one: &Behaviour<'_>| {
        below(&shown, one).is_some_and(|path| path.split('/').any(|part| part.starts_with('.')))
    };
    let is_reserved = |one: &Behaviour<'_>| {
        below(&shown, one).is_some_and(|path| one.fact.values.contains(&path))
    };
    let mut found = Vec::new();
    let mut tell = |on: Vec<Behaviour<'_>>, what: &str, works: &str| {
        if !on.is_empty() {
            let finding = view.about_clients(RULE.id, Span::at(0), what, &on, works);
            found.push(Finding {
                span: None,
                ..finding
            });
        }
    };
    let on = |condition, holds: &dyn Fn(&Behaviour<'_>) -> bool| {
        let mut on = view.on(condition);
        on.retain(|one| holds(one));
        on
    };
    tell(
        on(Condition::Depth, &too_deep),
        "the skill is nested too deeply in the folder of skills",
        "move the folder of the skill directly into the folder of skills",
    );
    tell(
        on(Condition::HiddenFolder, &is_hidden),
        "the skill is in a hidden folder",
        "move the skill into a folder whose name begins with a letter",
    );
    tell(
        on(Condition::ReservedFolder, &is_reserved),
        "the name of the folder is reserved",
        "rename the folder and the skill",
    );
    found
}

/// Returns the path of the skill's folder below the client's folder of skills. Of a skill elsewhere the place is not
/// known: a program that installs skills puts each folder directly into the client's folder.
fn below<'p>(shown: &'p str, one: &Behaviour<'_>) -> Option<&'p str> {
    let folders = one.client.folders.iter();
    let inside = folders.filter_map(|folder| after_folder(shown, folder)?.strip_prefix('/'));
    inside.min_by_key(|path| path.len())
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to, with_facts};
    use skills_format::diagnostic::Severity;

    const SKILL: &str = "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n";

    fn told(on: Condition, named: &[&str], path: &str, text: &str) -> Vec<String> {
        let clients = [client("one", on, Loss::Skill, &["x"])];
        let found = told_to("client-drops", &clients, named, &[(path, text)]);
        let shown = found
            .iter()
            .map(|one| format!("{}: {}", one.span().of(text), one.message));
        shown.collect()
    }

    #[test]
    fn forms_of_files() {
        for (on, text, shown) in [
            (
                Condition::ByteOrderMark,
                format!("\u{FEFF}{SKILL}"),
                "\u{FEFF}: the file begins with a byte-order mark",
            ),
            (
                Condition::TextBefore,
                format!("\n{SKILL}"),
                "\n: there is text before the front matter",
            ),
            (
                Condition::Dots,
                SKILL.replace("\n---\n", "\n...\n"),
                "...: the front matter is closed by `...`",
            ),
        ] {
            assert_eq!(
                told(on, &[], "x/SKILL.md", &text),
                [format!("{shown}: it is lost in ONE")]
            );
            assert!(told(on, &[], "x/SKILL.md", SKILL).is_empty());
            assert!(told(Condition::Never, &[], "x/SKILL.md", &text).is_empty());
        }
    }

    #[test]
    fn dashes_end_front_matter_only_where_something_is_lost() {
        let inside =
            |text: &str, named: &[&str]| told(Condition::DashesInside, named, "x/SKILL.md", text);
        let text = "---\nname: x\ndescription: Does --- what. Use when asked.\n---\n\nGo.\n";
        assert_eq!(
            inside(text, &[]),
            ["---: the front matter contains `---`: it is lost in ONE"]
        );
        let text = "---\nname: x\ndescription: Does. Use when asked.\n# ----- more\nlicense: MIT\n---\n\nGo.\n";
        assert!(inside(text, &[]).is_empty());
        assert_eq!(
            inside(text, &["one"]),
            ["-----: the front matter contains `---`: it is lost in ONE"]
        );
        let text = text.replace("license: MIT", "disable-model-invocation: true");
        assert_eq!(inside(&text, &[]).len(), 1);
        let text = "---\nname: x\ndescription: |\n  Does.\n  ---\n  Use when asked.\n---\n\nGo.\n";
        assert_eq!(
            told(Condition::DashesInBlock, &[], "x/SKILL.md", text).len(),
            1
        );
    }

    #[test]
    fn texts_that_are_other_values() {
        let name = |value: &str| {
            let text =
                format!("---\nname: {value}\ndescription: Does. Use when asked.\n---\n\nGo.\n");
            told(Condition::PlainName, &[], "x/SKILL.md", &text)
        };
        for (value, kind) in [
            ("2048", "a number"),
            ("true", "a boolean"),
            ("2026-01-02", "a date"),
        ] {
            assert_eq!(
                name(value),
                [format!(
                    "{value}: the name `{value}` is {kind} in YAML: it is lost in ONE"
                )]
            );
        }
        for value in ["x", "\"2048\"", "'true'", "2026-01", "v1", "yes"] {
            assert!(name(value).is_empty(), "{value}");
        }
    }

    #[test]
    fn folders_in_which_a_client_does_not_look() {
        let mut one = client("one", Condition::Depth, Loss::Skill, &[]);
        one.folders = &[".one/skills"];
        with_facts(&mut one, |fact| fact.limit = 1);
        let told = |one: &Client, named: &[&str], path: &str| {
            told_to(
                "client-drops",
                std::slice::from_ref(one),
                named,
                &[(path, SKILL)],
            )
            .len()
        };
        assert_eq!(told(&one, &[], "p/.one/skills/a/x/SKILL.md"), 1);
        assert_eq!(told(&one, &[], ".one/skills/x/SKILL.md"), 0);
        // A program that installs skills puts them where the client looks.
        assert_eq!(told(&one, &[], "skills/a/x/SKILL.md"), 0);
        assert_eq!(told(&one, &["one"], "skills/a/x/SKILL.md"), 0);
        one.facts = client("one", Condition::HiddenFolder, Loss::Skill, &[]).facts;
        assert_eq!(told(&one, &[], ".one/skills/.system/x/SKILL.md"), 1);
        assert_eq!(told(&one, &[], ".one/skills/x/SKILL.md"), 0);
        one.facts = client("one", Condition::ReservedFolder, Loss::Skill, &["x"]).facts;
        assert_eq!(told(&one, &[], ".one/skills/x/SKILL.md"), 1);
        assert_eq!(told(&one, &[], ".one/skills/a/x/SKILL.md"), 0);
    }

    #[test]
    fn only_named_clients_cause_errors() {
        let text = format!("\n{SKILL}");
        let clients = [
            client("one", Condition::TextBefore, Loss::Skill, &[]),
            client("two", Condition::TextBefore, Loss::Nothing, &[]),
        ];
        let severity = |named: &[&str]| {
            let config = skills_check::Config::default();
            let named: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
            let scope = crate::view::scope::Scope {
                clients: crate::client::Clients::new(&clients, &named),
                ..crate::view::scope::Scope::default()
            };
            let tree = crate::rules::tests::tree(&[("x/SKILL.md", &text)]);
            let found = crate::check::check_bundle(None, "", &tree, &config, scope).diagnostics;
            found.iter().map(|one| one.severity).collect::<Vec<_>>()
        };
        assert_eq!(severity(&[]), [Severity::Warning]);
        assert_eq!(severity(&["one"]), [Severity::Error]);
        assert_eq!(severity(&["two"]), [Severity::Warning]);
    }
}
