//! The findings of what was opened, and their fixes.

use crate::bundle::bundles;
use crate::files::{Opened, Playground};
use crate::place::Places;
use serde_json::{Value, json};
use skills_format::{Diagnostic, Severity, SkillFiles, Tree, estimate_tokens};
use skills_lint::{FixLevel, apply, fix, rules};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of findings in an answer. A page with more is slow, and nobody reads them.
const MOST: usize = 300;

impl Playground {
    /// Checks everything and returns the answer as JSON.
    ///
    /// # Cost
    ///
    /// Parses every `SKILL.md` and runs every rule.
    pub fn check(&mut self) -> String {
        let checked = self.checked(&self.tree);
        self.found = checked.diagnostics;
        let count = |wanted: &dyn Fn(&Diagnostic) -> bool| {
            self.found.iter().filter(|finding| wanted(finding)).count()
        };
        let fixes = |safe| count(&|it| it.fix.as_ref().is_some_and(|fix| fix.safe == safe));
        let mut texts = BTreeMap::new();
        let findings = self.found.iter().enumerate().take(MOST);
        json!({
            "errors": count(&|it| it.severity == Severity::Error),
            "warnings": count(&|it| it.severity == Severity::Warning),
            "suppressed": checked.suppressed,
            // The numbers of findings with a fix, by kind.
            "safe": fixes(true),
            "guesses": fixes(false),
            "findings": findings
                .map(|(index, finding)| self.answer(index, finding, &mut texts))
                .collect::<Vec<_>>(),
            "more": self.found.len().saturating_sub(MOST),
            "skills": self.skills(),
        })
        .to_string()
    }

    /// Returns the findings of the last check, for tests that compare them.
    #[doc(hidden)]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Applies the fix of one finding of the last check, and returns the changed files as JSON.
    pub fn fix(&mut self, index: usize) -> String {
        let finding = self.found.get(index).cloned();
        let mut changed = Vec::new();
        if let Some(finding) = finding
            && let Some(text) = self.text(&finding.path)
        {
            let new = apply(text, std::slice::from_ref(&finding), FixLevel::All);
            if new.text != text {
                self.put(&finding.path, Some(new.text.into_bytes()), 0);
                changed.push(finding.path);
            }
        }
        self.fixed(usize::from(!changed.is_empty()), changed)
    }

    /// Applies the safe fixes of all findings, or with `guesses` every fix, until no fix is left. Returns the changed files
    /// as JSON.
    pub fn fix_all(&mut self, guesses: bool) -> String {
        let level = if guesses {
            FixLevel::All
        } else {
            FixLevel::Safe
        };
        let mut tree = (*self.tree).clone();
        let fixed = fix("", &mut tree, level, &|tree| self.fixable(tree));
        self.tree = Arc::new(tree);
        self.fixed(fixed.applied, fixed.changed)
    }

    fn fixed(&self, fixed: usize, changed: Vec<String>) -> String {
        let changed = changed.into_iter().filter_map(|path| {
            let text = self.text(&path)?.to_owned();
            Some(json!({ "path": path, "text": text }))
        });
        json!({ "fixed": fixed, "changed": changed.collect::<Vec<_>>() }).to_string()
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        let bytes = self.tree.get(path)?.bytes.as_deref()?;
        std::str::from_utf8(bytes).ok()
    }

    fn answer<'p>(
        &'p self,
        index: usize,
        finding: &'p Diagnostic,
        texts: &mut BTreeMap<&'p str, Option<Places<'p>>>,
    ) -> Value {
        let places = texts
            .entry(&finding.path)
            .or_insert_with(|| self.text(&finding.path).map(Places::new));
        let place = places.as_ref().map(|places| {
            let span = finding.span();
            [places.units(span.start), places.units(span.end)]
        });
        let rule = rules::find(finding.rule.as_str());
        let fix = finding.fix.as_ref();
        json!({
            "index": index,
            "rule": finding.rule.as_str(),
            "summary": rule.map_or("", |rule| rule.summary),
            "severity": finding.severity.as_str(),
            "path": &finding.path,
            "line": finding.start.line,
            "column": finding.start.column,
            // In UTF-16 code units, as a text area counts. None: the whole file or folder.
            "place": place,
            "message": finding.message.to_string(),
            "help": finding.help.to_string(),
            "fix": fix.map(|fix| if fix.safe { "safe" } else { "guess" }),
        })
    }

    fn skills(&self) -> Vec<Value> {
        let of = |tree: &Tree| -> Vec<(String, Value)> {
            let skills = tree.skills_of_any_case();
            let skills = skills.iter();
            skills
                .map(|skill| (skill.dir.to_owned(), self.skill(skill)))
                .collect()
        };
        let skills = match &self.kind {
            Opened::Text => of(&self.tree),
            Opened::Folder(name) => {
                let (bundles, _) = bundles(&self.tree, name);
                let mut skills: Vec<_> = bundles.iter().flat_map(|it| of(&it.tree)).collect();
                skills.sort_by(|(a, _), (b, _)| a.cmp(b));
                skills
            }
        };
        skills.into_iter().map(|(_, skill)| skill).collect()
    }

    fn skill(&self, skill: &SkillFiles<'_>) -> Value {
        let bytes = skill.file.bytes.as_deref().unwrap_or_default();
        let read = self.read(skill);
        let (name, description) = read.map_or((None, String::new()), |skill| {
            (Some(skill.name.into_string()), skill.description)
        });
        json!({
            "dir": skill.dir,
            "path": skill.file.path,
            // None: no program could read the file as a skill.
            "name": name,
            "description": description,
            "tokens": estimate_tokens(&String::from_utf8_lossy(bytes)),
            "files": skill.files.len(),
        })
    }
}
