//! Comments that suppress findings: `<!-- skills: allow RULE -->`, `<!-- skills: allow-file RULE -->`.

use crate::rules;
use crate::view::finding::Finding;
use crate::view::markdown::{Markdown, blocks};
use crate::view::skill::SkillView;
use skills_check::Config;
use skills_check::check::allow::{Comment, NEVER_SUPPRESSED, comments};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::span::Span;
use skills_format::tree::{FileKind, TreeFile};
use std::cell::LazyCell;
use std::collections::BTreeMap;

/// The suppressions of files, by the paths in findings.
#[derive(Clone, Default)]
pub(crate) struct Suppressions(BTreeMap<String, Vec<Suppression>>);

/// One rule in one comment.
#[derive(Clone)]
struct Suppression {
    rule: String,
    /// The bytes that the comment covers. `None`: the whole file.
    block: Option<Span>,
    /// The finding that is reported if the comment suppresses nothing.
    place: Diagnostic,
    is_used: bool,
}

impl Suppressions {
    /// Adds the suppressions of further files.
    pub(crate) fn extend(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// Splits findings into reported findings and suppressed findings.
    pub(crate) fn apply(&mut self, told: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        if self.0.is_empty() {
            return (told, Vec::new());
        }
        told.into_iter().partition(|finding| {
            let of_file = self.0.get_mut(&finding.path);
            !of_file.is_some_and(|all| all.iter_mut().any(|one| one.holds(finding)))
        })
    }

    /// Returns a finding for each suppression that suppressed nothing.
    pub(crate) fn unused(&self, config: &Config) -> Vec<Diagnostic> {
        let severity = rules::find(RuleId::UnusedSuppression.as_str());
        let Some(severity) = severity.and_then(|rule| config.severity(rule)) else {
            return Vec::new();
        };
        let unused = self.0.values().flatten().filter(|one| !one.is_used);
        let finding = |one: &Suppression| {
            let mut finding = one.place.clone();
            finding.severity = severity;
            finding
        };
        unused.map(finding).collect()
    }
}

impl Suppression {
    fn holds(&mut self, finding: &Diagnostic) -> bool {
        let span = finding.span();
        let is_inside = self
            .block
            .is_none_or(|block| block.start <= span.start && span.start < block.end.max(1));
        let holds = self.rule == finding.rule.as_str() && is_inside && !is_never(&self.rule);
        self.is_used |= holds;
        holds
    }
}

fn is_never(rule: &str) -> bool {
    NEVER_SUPPRESSED.iter().any(|never| never.as_str() == rule)
}

/// Reads the comments of the Markdown files of a skill.
pub(crate) fn read(view: &SkillView<'_>) -> Suppressions {
    let mut suppressions = Suppressions::default();
    // Most files have no such comment, and are not parsed.
    let texts = view.texts().iter();
    for (file, text, _) in texts.filter(|(.., rules)| rules.have(RuleId::UnusedSuppression)) {
        if let Some((path, all)) = of_file(view, file, text) {
            suppressions.0.insert(path, all);
        }
    }
    suppressions
}

type OfFile = (String, Vec<Suppression>);

fn of_file(view: &SkillView<'_>, file: &TreeFile, text: &str) -> Option<OfFile> {
    let is_markdown = file.path.to_ascii_lowercase().ends_with(".md");
    if file.kind != FileKind::Regular || !is_markdown {
        return None;
    }
    let body = match view.document() {
        Some(document) if file.path == view.skill.entry => document.body,
        _ => Span::new(0, text.len()),
    };
    let markdown = Markdown::parse(text, body);
    let blocks = LazyCell::new(|| blocks(text, body));
    let block_after = |at: usize| {
        let next = blocks.partition_point(|block| block.start < at);
        blocks.get(next).copied().unwrap_or(Span::at(at))
    };
    let about = |span: Span, message: String, help: &str| {
        let finding = Finding::new(RuleId::UnusedSuppression, &file.path, message);
        view.placed(finding.at(span).help(help), Severity::Warning)
    };
    let all = comments(text, body, &|at| markdown.is_code(at))
        .into_iter()
        .flat_map(|comment| suppressions(&comment, &block_after, &about))
        .collect();
    Some((view.tree.shown(&file.path), all))
}

fn suppressions(
    comment: &Comment<'_>,
    block_after: &dyn Fn(usize) -> Span,
    about: &dyn Fn(Span, String, &str) -> Diagnostic,
) -> Vec<Suppression> {
    let block = if comment.is_of_file {
        None
    } else {
        Some(block_after(comment.span.end))
    };
    let mut found = Vec::new();
    for rule in &comment.rules {
        let (message, help) = if is_never(rule) {
            let help = "set its level in `skills.toml`, or remove the comment";
            (format!("a comment cannot suppress `{rule}`"), help)
        } else if rules::find(rule).is_none() {
            (format!("no rule is named `{rule}`"), "remove it")
        } else {
            let message = format!("the comment suppresses no finding of `{rule}`");
            (message, "remove it")
        };
        found.push(Suppression {
            rule: (*rule).to_owned(),
            block,
            place: about(comment.span, message, help),
            is_used: false,
        });
    }
    found
}
