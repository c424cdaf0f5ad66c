//! The differences that a reload found, for the person.

use skills_format::mention::listed;
use skills_format::{ARGUMENTS_FILE, SKILL_FILE};
use skills_runtime::{Catalog, Skill};
use skills_session::session::Active;
use skills_session::{Notice, Session};

/// Compares the catalog before a reload with the catalog of now, and the skills that are active with what the model was
/// given of them. In a reopened conversation a skill can have changed before the first of the two catalogs.
pub(super) fn compared(
    before: &Catalog,
    read: &Catalog,
    session: &Session,
    is_reopened: bool,
) -> Reload {
    let active: Vec<String> = session.active().iter().map(Active::qualified_id).collect();
    let changes = read.changes_since(before);
    let mut reload = Reload {
        added: changes.added,
        changed: changes.changed.clone(),
        removed: changes.removed,
        ..Reload::default()
    };
    // The notice of an active skill's end follows, and says that the skill was removed.
    reload.removed.retain(|id| !active.contains(id));
    for id in &changes.changed {
        if let (Some(old), Some(now)) = (bundled(before, id), bundled(read, id)) {
            if old.typed_arguments().ok() != now.typed_arguments().ok() {
                reload.arguments.push(id.clone());
            }
            if active.contains(id) {
                add_changed_files(&mut reload, id, &old, &now);
            }
        }
    }
    for (id, active) in active.into_iter().zip(session.active()) {
        let is_changed = changes.changed.contains(&id);
        let is_trusted = read.get(&id).is_some_and(|it| it.is_trusted());
        if !is_trusted || !is_changed && !is_reopened {
            continue;
        }
        match active.gives_the_same(read) {
            Some(true) => {}
            None if !is_changed => {}
            _ => reload.active.push(id),
        }
    }
    let files = reload.files.iter().map(|(id, _)| id);
    let all = reload.active.iter().chain(&reload.arguments).chain(files);
    let all: Vec<String> = all.cloned().collect();
    reload.changed.extend(all);
    reload.changed.sort();
    reload.changed.dedup();
    reload
}

fn add_changed_files(reload: &mut Reload, id: &str, old: &Skill<'_>, now: &Skill<'_>) {
    // Both are part of the program: only a file that was not there before gives an error.
    for file in now.files().into_iter().flatten() {
        if [SKILL_FILE, ARGUMENTS_FILE].contains(&&*file.path) {
            continue;
        }
        let before = old.read(&file.path);
        if before.is_ok_and(|before| now.read(&file.path).ok() != Some(before)) {
            let path = file.path.into_owned();
            reload.files.push((id.to_owned(), path));
        }
    }
}

/// The skills that a reload found. The ids are qualified.
#[derive(Default)]
pub(super) struct Reload {
    added: Vec<String>,
    changed: Vec<String>,
    removed: Vec<String>,
    /// Changed skills whose old text stands in the conversation.
    active: Vec<String>,
    /// Changed skills with other typed arguments.
    arguments: Vec<String>,
    /// The changed files of active skills: the id and the path.
    files: Vec<(String, String)>,
}

impl Reload {
    fn words(&self) -> String {
        let mut sentences = Vec::new();
        for (what, ids) in [
            ("New", &self.added),
            ("Changed", &self.changed),
            ("Removed", &self.removed),
        ] {
            let skills = if ids.len() == 1 { "skill" } else { "skills" };
            if !ids.is_empty() {
                sentences.push(format!("{what} {skills}: {}.", listed(ids)));
            }
        }
        let files = self.files.iter();
        let files: Vec<String> = files.map(|(id, path)| format!("{path} of {id}")).collect();
        let read_again = "If the model read it before, ask it to read again";
        for (what, which) in [
            ("Changed arguments", &self.arguments),
            ("To use the new text, start again", &self.active),
            (read_again, &files),
        ] {
            if !which.is_empty() {
                sentences.push(format!("{what}: {}.", listed(which)));
            }
        }
        sentences.join(" ")
    }
}

/// Returns the notice. `old` are the skills that are active now and have not started since the reload, `active` all
/// that are active now.
pub(super) fn notice(mut reload: Reload, old: &[String], active: &[String]) -> Option<Notice> {
    if reload.added.is_empty() && reload.changed.is_empty() && reload.removed.is_empty() {
        return None;
    }
    reload.active.retain(|id| old.contains(id));
    reload.files.retain(|(id, _)| active.contains(id));
    Some(Notice::Text(reload.words()))
}

fn bundled<'c>(catalog: &'c Catalog, id: &str) -> Option<Skill<'c>> {
    catalog.get(id).filter(Skill::is_bundled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_runtime::{Bundle, Surface, include_skills};
    use skills_session::options::Options;

    static BEFORE: Bundle = include_skills!("tests/bundles/before");
    static AFTER: Bundle = include_skills!("tests/bundles/after");

    /// Returns the notice when another version of a bundle takes the place of the version before, as a hot bundle does.
    fn told(typed: &[&str], again: &str) -> String {
        let builder = |bundle: &'static Bundle| Catalog::builder().bundle("bundled", bundle);
        let before = builder(&BEFORE).load();
        let mut session = Session::new(Options::DEFAULT);
        for text in typed {
            session.turn(&before, text, Surface::User);
        }
        let read = before.with(|_| builder(&AFTER)).reload();
        let changes = compared(&before, &read, &session, false);
        let started = session.turn(&read, again, Surface::User).started;
        let active = session.active().iter();
        let all: Vec<String> = active.clone().map(Active::qualified_id).collect();
        let old = active.filter(|active| !started.contains(&active.skill));
        let old: Vec<String> = old.map(Active::qualified_id).collect();
        notice(changes, &old, &all).expect("changes").to_string()
    }

    #[test]
    fn a_swap_is_told_by_what_the_model_was_given() {
        let changed = "Changed skills: bundled:deploy, bundled:describe, bundled:edit, bundled:style. Changed arguments: \
                       bundled:deploy.";
        assert_eq!(told(&[], "hello"), changed);
        assert_eq!(told(&["$describe it", "/deploy staging"], "hello"), changed);
        let edited = format!("{changed} To use the new text, start again: bundled:edit.");
        assert_eq!(told(&["$describe it", "$edit it"], "hello"), edited);
        assert_eq!(
            told(&["$edit it"], "$edit it"),
            changed,
            "it has the new text"
        );
        let file = format!(
            "{changed} If the model read it before, ask it to read again: references/style.md of bundled:style."
        );
        assert_eq!(told(&["$style it"], "hello"), file);
        assert_eq!(
            told(&["$style it"], "$style it"),
            file,
            "its text names the file as before"
        );
        assert_eq!(told(&["$style it"], "/skill stop"), changed);
    }
}
