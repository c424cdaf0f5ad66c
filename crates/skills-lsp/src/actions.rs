//! Code actions: the fixes of findings, and what suppresses a finding.

use crate::documents::touch;
use crate::state::State;
use crate::text::LineText;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CreateFile,
    CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, TextEdit, WorkspaceEdit,
};
use skills_format::{Diagnostic, Edit, Span};
use skills_lint::{CONFIG_FILE, Config, FixLevel, apply, rules};
use std::collections::HashSet;
use std::path::Path;

/// The maximum number of rounds of a fix of everything: the check's own.
const MAX_ROUNDS: usize = 16;
/// The maximum number of findings at one place for which a comment is offered: each needs checks of the skill.
const MAX_COMMENTS: usize = 4;

/// Returns the actions for a range of a document.
/// Each check of another text asks first whether the client still waits.
pub(crate) fn actions(
    state: &mut State,
    params: &CodeActionParams,
    is_cancelled: &mut dyn FnMut() -> bool,
) -> Vec<CodeActionOrCommand> {
    let Some((path, text, start)) = state.at(&params.text_document.uri, params.range.start) else {
        return Vec::new();
    };
    let lines = LineText::new(text.as_bytes());
    let end = lines.offset(params.range.end, state.unit).max(start);
    let asked = params.context.only.as_deref();
    let wants = |kind: &CodeActionKind| {
        asked.is_none_or(|asked| {
            let is_above = |above: &CodeActionKind| {
                let rest = kind.as_str().strip_prefix(above.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            asked.iter().any(is_above)
        })
    };
    let mut actions = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let project = state.project_index(&path);
        let found: Vec<Diagnostic> = findings(state, &path)
            .into_iter()
            .filter(|finding| touch(finding.span(), Span::new(start, end)))
            .collect();
        for finding in &found {
            actions.extend(fix(state, &path, &lines, finding));
        }
        if let Some(project) = project {
            for finding in found.iter().take(MAX_COMMENTS) {
                actions.extend(allow_here(
                    state,
                    project,
                    &path,
                    &text,
                    finding,
                    is_cancelled,
                ));
            }
        }
        let mut configured = Vec::new();
        for finding in &found {
            if !configured.contains(&finding.rule) {
                configured.push(finding.rule);
                actions.extend(allow_in_config(state, &path, finding));
            }
        }
    }
    let fix_all = CodeActionKind::new("source.fixAll.skills");
    if wants(&fix_all) {
        actions.extend(everything(state, &path, &text, fix_all, is_cancelled));
    }
    actions
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// Returns the findings about a file.
pub(crate) fn findings(state: &State, path: &Path) -> Vec<Diagnostic> {
    let project = state.project(path);
    let found = project.and_then(|project| project.findings.get(path));
    found.cloned().unwrap_or_default()
}

/// Returns the fix of a finding.
fn fix(
    state: &State,
    path: &Path,
    lines: &LineText<'_>,
    finding: &Diagnostic,
) -> Option<CodeAction> {
    let fix = finding.fix.as_ref()?;
    let edits = fix
        .edits
        .iter()
        .map(|edit| text_edit(state, lines, edit))
        .collect();
    let mut changes = Changes::default();
    changes.edit(state, path, edits);
    let what = if finding.help.is_empty() {
        finding.message.to_string()
    } else {
        finding.help.to_string()
    };
    let title = if fix.safe {
        format!("Fix: {what}")
    } else {
        format!("Fix, a guess: {what}")
    };
    action(
        state,
        title,
        CodeActionKind::QUICKFIX,
        changes,
        fix.safe,
        Some((lines, finding)),
    )
}

/// Applies every safe fix, as `skills check --fix` does: round by round.
fn everything(
    state: &mut State,
    path: &Path,
    text: &str,
    kind: CodeActionKind,
    is_cancelled: &mut dyn FnMut() -> bool,
) -> Option<CodeAction> {
    let mut found = findings(state, path);
    let mut new = text.to_owned();
    let index = state.project_index(path)?;
    let project = state.projects.get_mut(index)?;
    for _ in 0..MAX_ROUNDS {
        let fixed = apply(&new, &found, FixLevel::Safe);
        if fixed.applied == 0 {
            break;
        }
        new = fixed.text;
        if is_cancelled() {
            return None;
        }
        found = project.tried(path, &new)?;
    }
    if new == text {
        return None;
    }
    let lines = LineText::new(text.as_bytes());
    let (start, removed, added) = difference(text, &new);
    let edit = Edit::replace(Span::new(start, start + removed), added);
    let edits = vec![text_edit(state, &lines, &edit)];
    let mut changes = Changes::default();
    changes.edit(state, path, edits);
    let title = "Fix everything that has a safe fix".to_owned();
    action(state, title, kind, changes, false, None)
}

/// Returns where two texts begin to differ, the number of bytes there that go, and the text that comes.
fn difference<'n>(old: &str, new: &'n str) -> (usize, usize, &'n str) {
    let same = |(a, b): &(char, char)| a == b;
    let head = old.chars().zip(new.chars()).take_while(same);
    let head: usize = head.map(|(letter, _)| letter.len_utf8()).sum();
    let (old_rest, new_rest) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = old_rest
        .chars()
        .rev()
        .zip(new_rest.chars().rev())
        .take_while(same);
    let tail: usize = tail.map(|(letter, _)| letter.len_utf8()).sum();
    let added = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    (head, old_rest.len() - tail, added)
}

/// Offers a comment that allows a finding: before its block, or for the whole file. The comment is tried, and offered
/// only if the finding goes and no other comes.
fn allow_here(
    state: &mut State,
    project: usize,
    path: &Path,
    text: &str,
    finding: &Diagnostic,
    is_cancelled: &mut dyn FnMut() -> bool,
) -> Option<CodeAction> {
    let rule = finding.rule.as_str();
    let is_markdown = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("md"));
    if !is_markdown {
        return None;
    }
    let before = findings(state, path);
    // Without places: the comment moves all later findings, of which there can be ten thousand.
    let moved = |finding: &Diagnostic| (finding.rule.as_str(), finding.message.to_string());
    let known: HashSet<_> = before.iter().map(moved).collect();
    let body = match skills_format::Document::split(text) {
        Ok(document) => document.body.start,
        Err(_) => 0,
    };
    let block = format!("<!-- skills: allow {rule} -->\n");
    let whole = format!("<!-- skills: allow-file {rule} -->\n\n");
    let at = finding.start.offset;
    let mut tried: Vec<(usize, &str)> = Vec::new();
    if at >= body && finding.span() != Span::default() {
        // Within a paragraph, a comment would split it.
        let above = text.get(body..at)?;
        let paragraph = above.rfind("\n\n").map_or(0, |end| end + 2);
        tried.push((body + paragraph, &block));
    }
    tried.push((body, &whole));
    let project = state.projects.get_mut(project)?;
    let (at, comment) = tried.into_iter().find(|(at, comment)| {
        let (Some(head), Some(tail)) = (text.get(..*at), text.get(*at..)) else {
            return false;
        };
        if is_cancelled() {
            return false;
        }
        let new = [head, comment, tail].concat();
        let Some(after) = project.tried(path, &new) else {
            return false;
        };
        after.len() < before.len()
            && after.iter().all(|new| known.contains(&moved(new)))
            && !after.iter().any(|new| {
                let start = finding.start.offset + comment.len();
                new.rule == finding.rule && new.start.offset == start
            })
    })?;
    let lines = LineText::new(text.as_bytes());
    let edit = Edit::replace(Span::at(at), comment);
    let edit = text_edit(state, &lines, &edit);
    let mut changes = Changes::default();
    changes.edit(state, path, vec![edit]);
    let title = if comment == whole {
        format!("Allow `{rule}` in this file")
    } else {
        format!("Allow `{rule}` here")
    };
    action(
        state,
        title,
        CodeActionKind::QUICKFIX,
        changes,
        false,
        Some((&lines, finding)),
    )
}

/// Offers to allow a rule in the `skills.toml` of the bundle.
fn allow_in_config(state: &State, path: &Path, finding: &Diagnostic) -> Option<CodeAction> {
    let id = finding.rule.as_str();
    let rule = rules::find(id)?;
    let project = state.project(path)?;
    let repository = project.repository.as_ref()?;
    let bundle = project.bundle_of(path)?;
    let config = match &bundle.config_path {
        Some(shown) => repository.on_disk(shown)?,
        None => repository.on_disk(&bundle.path)?.join(CONFIG_FILE),
    };
    let old = state
        .bytes(&config)
        .map(String::from_utf8)
        .transpose()
        .ok()?;
    let text = old.clone().unwrap_or_default();
    let line = text.lines().position(|line| {
        let rest = line.trim_start().strip_prefix("allow");
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    });
    let edit = match line {
        Some(line) => {
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            let open = text.get(start..)?.find('[')?;
            Edit::replace(Span::at(start + open + 1), format!("\"{id}\", "))
        }
        None => Edit::replace(Span::at(0), format!("allow = [\"{id}\"]\n")),
    };
    let (head, tail) = text.split_at_checked(edit.start)?;
    let new = [head, &edit.text, tail].concat();
    // The place was found without a parser of TOML: offered only if the new file means what it should.
    let (parsed, faults) = Config::parse("", &new);
    if !faults.is_empty() || parsed.severity(rule).is_some() {
        return None;
    }
    let mut changes = Changes::default();
    match &old {
        Some(old) => {
            let lines = LineText::new(old.as_bytes());
            changes.edit(state, &config, vec![text_edit(state, &lines, &edit)]);
        }
        None => changes.write(state, &config, &new),
    }
    let title = format!("Allow `{id}` in {CONFIG_FILE}");
    action(state, title, CodeActionKind::QUICKFIX, changes, false, None)
}

pub(crate) fn text_edit(state: &State, lines: &LineText<'_>, edit: &Edit) -> TextEdit {
    lines.edit(Span::new(edit.start, edit.end), &edit.text, state.unit)
}

fn action(
    state: &State,
    title: String,
    kind: CodeActionKind,
    changes: Changes,
    is_preferred: bool,
    finding: Option<(&LineText<'_>, &Diagnostic)>,
) -> Option<CodeAction> {
    let found = finding.map(|(lines, finding)| {
        vec![crate::answer::diagnostic(
            finding,
            lines,
            state.unit,
            |_| None,
        )]
    });
    Some(CodeAction {
        title,
        kind: Some(kind),
        diagnostics: found,
        edit: Some(changes.edit_of(state)?),
        is_preferred: is_preferred.then_some(true),
        ..CodeAction::default()
    })
}

/// The edits of several files.
#[derive(Default)]
pub(crate) struct Changes {
    operations: Vec<DocumentChangeOperation>,
    has_files: bool,
}

impl Changes {
    /// Adds edits of a file.
    pub(crate) fn edit(&mut self, state: &State, path: &Path, edits: Vec<TextEdit>) {
        let Some(uri) = state.uri(path).filter(|_| !edits.is_empty()) else {
            return;
        };
        let version = state.documents.get(path).map(|document| document.version);
        self.operations
            .push(DocumentChangeOperation::Edit(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
                edits: edits.into_iter().map(OneOf::Left).collect(),
            }));
    }

    /// Creates a file, or replaces the whole text of an existing file.
    fn write(&mut self, state: &State, path: &Path, text: &str) {
        let Some(uri) = state.uri(path) else { return };
        let old = state.bytes(path);
        if old.is_none() {
            self.operation(ResourceOp::Create(CreateFile {
                uri: uri.clone(),
                options: Some(CreateFileOptions {
                    overwrite: Some(false),
                    ignore_if_exists: Some(true),
                }),
                annotation_id: None,
            }));
        }
        let old = old.unwrap_or_default();
        let lines = LineText::new(&old);
        let range = lines.range(Span::new(0, old.len()), state.unit);
        self.edit(state, path, vec![TextEdit::new(range, text.to_owned())]);
    }

    pub(crate) fn operation(&mut self, operation: ResourceOp) {
        self.has_files = true;
        self.operations.push(DocumentChangeOperation::Op(operation));
    }

    /// Returns the edit, or `None` if the client cannot create or rename files.
    pub(crate) fn edit_of(self, state: &State) -> Option<WorkspaceEdit> {
        let workspace = state.capabilities.workspace.as_ref();
        let known = workspace.and_then(|it| it.workspace_edit.as_ref());
        let has_operations = known.is_some_and(|it| it.resource_operations.is_some());
        (has_operations || !self.has_files).then(|| WorkspaceEdit {
            document_changes: Some(DocumentChanges::Operations(self.operations)),
            ..WorkspaceEdit::default()
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test writes a skill")]
mod tests {
    use super::*;
    use crate::documents::Documents;
    use crate::project::Project;
    use crate::text::Unit;
    use serde_json::json;

    #[test]
    fn a_cancelled_request_checks_nothing_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("skills/greet/SKILL.md");
        let text =
            "---\nname: greet\ndescription: Greets. Use when asked.\n---\n[a](a.md)\n[b](b.md)\n";
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        let uri = crate::place::uri_of(&path).expect("a URI");
        let mut documents = Documents::default();
        documents.open(path, uri.clone(), 1, text);
        let mut project = Project::new(folder.path()).expect("a project");
        let scan = project.due_scan(1, &documents).expect("a scan");
        project.take(scan.run(), &documents);
        let mut state = State {
            unit: Unit::Utf8,
            capabilities: lsp_types::ClientCapabilities::default(),
            documents,
            projects: vec![project],
        };
        let whole =
            json!({ "start": { "line": 4, "character": 0 }, "end": { "line": 5, "character": 9 } });
        let params = json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
        let params: CodeActionParams = serde_json::from_value(params).expect("parameters");
        let mut count = |is_cancelled: bool| {
            let mut asked = 0;
            let mut is_cancelled = || {
                asked += 1;
                is_cancelled
            };
            let actions = json!(actions(&mut state, &params, &mut is_cancelled)).to_string();
            (asked > 0, actions.contains("here"))
        };
        assert_eq!(count(false), (true, true));
        assert_eq!(count(true), (true, false));
    }
}
