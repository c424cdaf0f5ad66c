//! The data of one skill that rules see.

use crate::client::Behaviours;
use crate::view::CheckedSkill;
use crate::view::finding::Finding;
use crate::view::form::{self, Form};
use crate::view::loss::Lost;
use crate::view::markdown::Markdown;
use crate::view::page::{self, Page};
use crate::view::search::Concerns;
use crate::view::target::{Reference, Target, is_folder};
use crate::view::tree::TreeView;
use skills_check::check::Fault;
use skills_check::check::fields;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Edit, Severity};
use skills_format::lenient::recover::{self, Recovered};
use skills_format::skill::document::Document;
use skills_format::skill::limits::{MAX_FRONT_MATTER, MAX_SKILL_FILE};
use skills_format::skill::spelling::Spelling;
use skills_format::text::lines::line_at;
use skills_format::text::prose::Prose;
use skills_format::text::span::{Lines, Span};
use skills_format::tree::{FileKind, TreeFile, in_folder, join};
use skills_format::yaml::node::{Node, Value};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// One skill. Values that several rules need are computed once, on first use.
pub(crate) struct SkillView<'a> {
    pub(crate) skill: &'a CheckedSkill<'a>,
    pub(crate) tree: &'a TreeView<'a>,
    lines: OnceCell<Vec<OnceCell<Lines<'a>>>>,
    markdown: OnceCell<Markdown>,
    pub(super) targets: OnceCell<Vec<(Reference, Target<'a>)>>,
    pages: OnceCell<Vec<Page<'a>>>,
    recovered: OnceCell<Option<Recovered>>,
    forms: OnceCell<Vec<Form>>,
    behaviours: OnceCell<Option<Behaviours<'a>>>,
    pub(crate) losses: OnceCell<Vec<Lost<'a>>>,
    faults: OnceCell<Vec<Fault>>,
    closed_by: OnceCell<Vec<Spelling>>,
    texts: OnceCell<Vec<(&'a TreeFile, &'a str, Concerns)>>,
    pub(super) made: OnceCell<BTreeSet<String>>,
    /// The files and folders of the skill, by their paths in lower case.
    pub(super) names: OnceCell<BTreeMap<String, &'a str>>,
}

impl<'a> SkillView<'a> {
    pub(crate) fn new(skill: &'a CheckedSkill<'a>, tree: &'a TreeView<'a>) -> Self {
        Self {
            skill,
            tree,
            lines: OnceCell::new(),
            markdown: OnceCell::new(),
            targets: OnceCell::new(),
            pages: OnceCell::new(),
            recovered: OnceCell::new(),
            forms: OnceCell::new(),
            behaviours: OnceCell::new(),
            losses: OnceCell::new(),
            faults: OnceCell::new(),
            closed_by: OnceCell::new(),
            texts: OnceCell::new(),
            made: OnceCell::new(),
            names: OnceCell::new(),
        }
    }

    /// Returns what the asked clients do with the skill.
    pub(crate) fn behaviours(&self) -> &Behaviours<'a> {
        let own = self.behaviours.get_or_init(|| {
            let clients = self.tree.scope.clients;
            let dir = self.tree.shown(self.skill.dir);
            clients.depend_on(&dir).then(|| clients.about(&dir))
        });
        own.as_ref().unwrap_or(&self.tree.behaviours)
    }

    /// Returns the findings of a rule that builds have too.
    pub(crate) fn faults(&self, rule: RuleId) -> Vec<Finding> {
        let all = self.faults.get_or_init(|| fields::faults(&self.skill.file));
        let found = all.iter().filter(|fault| fault.rule == rule).map(|fault| {
            let mut finding = self.whole(rule, fault.message.clone()).help(&*fault.help);
            finding.span = fault.span;
            finding.fix.clone_from(&fault.fix);
            finding
        });
        found.collect()
    }

    /// Returns the spellings that close the skill to the model or to a person.
    pub(crate) fn closed_by(&self) -> &[Spelling] {
        self.closed_by.get_or_init(|| self.skill.file.closed_by())
    }

    /// Returns the `SKILL.md` among the files.
    pub(crate) fn entry(&self) -> Option<&'a TreeFile> {
        let entry = self.skill.entry;
        self.skill.files.iter().find(|file| file.path == entry)
    }

    /// Returns whether the `SKILL.md` is a regular file within the limits whose bytes were read.
    pub(crate) fn is_readable(&self) -> bool {
        self.entry().is_some_and(|file| {
            file.kind == FileKind::Regular && file.bytes.is_some() && file.size <= MAX_SKILL_FILE
        })
    }

    /// Returns the text of the `SKILL.md`; empty if the file is not UTF-8.
    pub(crate) fn text(&self) -> &'a str {
        self.skill.file.text.unwrap_or_default()
    }

    pub(crate) fn document(&self) -> Option<&'a Document<'a>> {
        self.skill.file.document.as_ref()?.as_ref().ok()
    }

    /// Returns the Markdown of the body.
    pub(crate) fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| {
            self.document()
                .map(|document| Markdown::parse(document.text, document.body))
                .unwrap_or_default()
        })
    }

    /// Returns the Markdown files beside the `SKILL.md`.
    pub(crate) fn pages(&self) -> &[Page<'a>] {
        self.pages
            .get_or_init(|| page::pages(self.skill.dir, self.texts()))
    }

    /// Returns the Markdown files beside the `SKILL.md` in which something can be a link, code or HTML.
    pub(crate) fn marked_pages(&self) -> impl Iterator<Item = &Page<'a>> {
        self.pages().iter().filter(|page| page.is_marked)
    }

    /// Returns the files of the skill that are UTF-8, each with its text and the rules that it concerns.
    pub(crate) fn texts(&self) -> &[(&'a TreeFile, &'a str, Concerns)] {
        self.texts.get_or_init(|| {
            let entry = self.entry().filter(|_| self.is_readable());
            let entry = entry.map(|file| (file, self.text()));
            let files = self.skill.files.iter();
            let others = files.filter(|file| file.path != self.skill.entry);
            let others = others
                .filter_map(|file| Some((file, std::str::from_utf8(file.bytes.as_deref()?).ok()?)));
            let all = entry.into_iter().chain(others);
            all.map(|(file, text)| (file, text, Concerns::of(text)))
                .collect()
        })
    }

    /// Returns false if the `SKILL.md` has none of the words of a rule.
    pub(crate) fn concerns(&self, rule: RuleId) -> bool {
        let mut texts = self.texts().iter();
        texts.any(|(file, _, rules)| file.path == self.skill.entry && rules.have(rule))
    }

    /// Returns whether a folder of the repository above the skill has an item at this path.
    pub(crate) fn is_in_a_folder_above(&self, path: &str) -> bool {
        let Some(around) = self.tree.scope.around else {
            return false;
        };
        let dir = self.skill.dir;
        let above = dir.rmatch_indices('/').filter_map(|(at, _)| dir.get(..at));
        let above = above.chain([""]).map(str::to_owned);
        let beyond = (1..4).map(|up| vec![".."; up].join("/"));
        let mut folders = above.chain(beyond);
        folders.any(|folder| around.kind(&join(&folder, path)).is_some())
    }

    /// Returns whether the skill has files below a folder.
    pub(crate) fn has_folder(&self, name: &str) -> bool {
        is_folder(self.skill.files, &join(self.skill.dir, name))
    }

    /// Returns whether the skill is about skills, by the name of its folder. Most paths in such a skill are examples.
    pub(crate) fn is_about_skills(&self) -> bool {
        let folder = &self.skill.file.folder;
        ["skill", "plugin"].iter().any(|word| folder.contains(word))
    }

    /// Returns the language of the fenced code block around a place, in lower case. `None` outside of such blocks.
    pub(crate) fn language(&self, span: Span) -> Option<String> {
        let mut fences = self.markdown().fences.iter();
        let fence = fences.find(|fence| fence.start <= span.start && span.end <= fence.end)?;
        let opening = fence.of(self.text()).lines().next().unwrap_or_default();
        let info = opening.trim_start_matches(['`', '~', ' ']);
        let language = info.split_whitespace().next().unwrap_or_default();
        Some(language.to_ascii_lowercase())
    }

    /// Returns the line that opens the front matter.
    pub(crate) fn opening(&self) -> Span {
        let start = self.document().map_or(0, |document| document.yaml.start);
        self.line_of(start.saturating_sub(1))
    }

    /// Returns the line that closes the front matter.
    pub(crate) fn closing(&self) -> Span {
        self.line_of(self.document().map_or(0, |document| document.yaml.end))
    }

    /// Returns the line around a place, without white space at its end.
    fn line_of(&self, at: usize) -> Span {
        let start = self.text()[..at].rfind('\n').map_or(0, |at| at + 1);
        let line = line_at(self.text(), start);
        let length = line.of(self.text()).trim_end().len();
        Span::new(line.start, line.start + length)
    }

    /// Returns the forms of the file that some readers do not accept.
    pub(crate) fn forms(&self) -> &[Form] {
        let forms = || self.document().map(form::forms).unwrap_or_default();
        self.forms.get_or_init(forms)
    }

    /// Returns the front matter if it is a mapping; the recovered front matter if it does not parse.
    pub(crate) fn fields(&self) -> Option<&Node> {
        let node = match self.skill.file.front_matter.as_ref()? {
            Ok(node) => node,
            Err(_) => &self.recovered()?.node,
        };
        matches!(node.value, Value::Mapping(_)).then_some(node)
    }

    /// Returns the recovered front matter if the front matter does not parse.
    pub(crate) fn recovered(&self) -> Option<&Recovered> {
        self.recovered
            .get_or_init(|| {
                let document = self.document()?;
                let failed = self.skill.file.front_matter.as_ref()?.is_err();
                (failed && document.yaml.len() <= MAX_FRONT_MATTER)
                    .then(|| recover::front_matter(document.text, document.yaml))
            })
            .as_ref()
    }

    /// Returns a key of the front matter and its value, if recovery left the key as written.
    pub(crate) fn field(&self, key: &str) -> Option<(&Node, &Node)> {
        let (key, value) = self.fields()?.entry(key)?;
        self.is_sound(key.span).then_some((key, value))
    }

    /// Returns whether the front matter has a key, also if its line was not readable.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields()
            .is_some_and(|fields| fields.get(key).is_some())
    }

    /// Returns whether recovery left the front matter at a place as written.
    pub(crate) fn is_sound(&self, span: Span) -> bool {
        self.recovered().is_none_or(|recovered| {
            let inside = |broken: &Span| broken.start <= span.start && span.start < broken.end;
            !recovered.broken.iter().any(inside)
        })
    }

    /// Returns the value of a key, if the value is a nonempty text.
    pub(crate) fn text_field(&self, key: &str) -> Option<(&Node, &str)> {
        let (_, value) = self.field(key)?;
        let text = value.as_str().filter(|text| !text.trim().is_empty())?;
        (!value.is_null()).then_some((value, text))
    }

    /// Creates a finding at a place of the `SKILL.md`.
    pub(crate) fn at(&self, rule: RuleId, span: Span, message: impl Into<Prose>) -> Finding {
        self.whole(rule, message).at(span)
    }

    /// Creates a finding about the whole `SKILL.md`.
    pub(crate) fn whole(&self, rule: RuleId, message: impl Into<Prose>) -> Finding {
        Finding::new(rule, self.skill.entry, message)
    }

    /// Creates a finding about the skill's folder.
    pub(crate) fn folder(&self, rule: RuleId, message: impl Into<Prose>) -> Finding {
        Finding::new(rule, self.skill.dir, message)
    }

    /// Removes the fix of a finding about front matter that does not parse. The effect of the fix is
    /// unknown until the front matter parses.
    pub(crate) fn without_guesswork(&self, finding: &mut Finding) {
        let Some(yaml) = self.document().map(|document| document.yaml) else {
            return;
        };
        let is_inside = |edit: &Edit| edit.start < yaml.end && yaml.start <= edit.end;
        let edits = finding.fix.as_ref().map(|fix| fix.edits.as_slice());
        if edits.unwrap_or_default().iter().any(is_inside) && self.recovered().is_some() {
            finding.fix = None;
        }
    }

    /// Turns a finding about a file of the skill into a diagnostic.
    pub(crate) fn placed(&self, finding: Finding, severity: Severity) -> Diagnostic {
        let path = self.tree.shown(&finding.path);
        let lines = finding.span.and_then(|_| self.lines(&finding.path));
        finding.placed(path, severity, lines)
    }

    /// Returns the lines of a file of the skill. Many findings can be about one file, so its lines are counted once.
    fn lines(&self, path: &str) -> Option<&Lines<'a>> {
        let files = self.skill.files;
        let lines = self
            .lines
            .get_or_init(|| vec![OnceCell::new(); files.len()]);
        let at = files.iter().position(|file| file.path == path)?;
        let bytes = files.get(at)?.bytes.as_deref().unwrap_or_default();
        Some(lines.get(at)?.get_or_init(|| Lines::new(bytes)))
    }

    /// Returns a path of the tree relative to the skill's folder.
    pub(crate) fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        in_folder(self.skill.dir, path)
    }
}
