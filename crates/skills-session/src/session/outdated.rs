//! Says whether an active skill is as it was when it started.

use crate::activation::given::{bundled_files, given_now};
use crate::scheduled::scheduled;
use crate::session::Session;
use crate::session::active::{Active, name};
use skills_format::mention::Id;
use skills_format::{Digest, SKILL_FILE};
use skills_runtime::{Catalog, Skill};
use std::collections::BTreeMap;

impl Session {
    /// Returns whether a new start of an active skill would give the model what it was given: the same instructions, files
    /// and rules about tools. `None`: it is not known, since the skill is not there or cannot be read, or the session was
    /// stored by an earlier version.
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill, as a start does.
    pub fn gives_the_same(&self, catalog: &Catalog, active: &Active) -> Option<bool> {
        let before = active.given?;
        let skill = skill_of(catalog, active)?;
        let is_same = given_now(&skill)? == before;
        Some(is_same && !names_an_older_folder(&skill, active))
    }

    /// Returns the paths of the files of an active bundled skill that are other files now. Empty for a skill of a folder:
    /// its files are not known from its start.
    pub fn changed_files<'a>(&self, catalog: &Catalog, active: &'a Active) -> Vec<&'a str> {
        skill_of(catalog, active).map_or_else(Vec::new, |skill| changed_files(&skill, active))
    }
}

fn skill_of<'c>(catalog: &'c Catalog, active: &Active) -> Option<Skill<'c>> {
    let id = Id::of(&active.source, name(&active.source, &active.skill)).to_string();
    let skill = catalog.get(&id);
    skill.or_else(|| scheduled(catalog)?.get(&id))
}

fn changed_files<'a>(skill: &Skill<'_>, active: &'a Active) -> Vec<&'a str> {
    let now: BTreeMap<String, Digest> = bundled_files(skill).into_iter().collect();
    let files = active.files.iter();
    let changed = files.filter(|(path, digest)| now.get(path).is_some_and(|now| now != digest));
    changed.map(|(path, _)| &**path).collect()
}

/// Returns whether the text names the folder of an extracted bundle of before, where a file is another one now.
fn names_an_older_folder(skill: &Skill<'_>, active: &Active) -> bool {
    let place = skill.place();
    let folder = place.strip_suffix(SKILL_FILE).unwrap_or(&place);
    skill.is_bundled()
        && !place.starts_with("skill://")
        && !active.text.contains(folder.trim_end_matches('/'))
        && !changed_files(skill, active).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, Sources};
    use crate::options::Options;
    use skills_runtime::Surface;
    use std::fs;

    const START: &str = "name: lint\ndescription: Lints.\narguments: [FILE, what]";

    fn write(fixture: &Fixture, path: &str, text: &str) {
        let path = fixture.dir.path().join("user/lint").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn skill(front: &str, body: &str) -> String {
        format!("---\n{front}\n---\n\n{body}\n")
    }

    /// Returns whether an active skill gives the same after a change.
    fn after(options: Options, change: impl FnOnce(&Fixture)) -> Option<bool> {
        let skills = [("lint", "", "")];
        let fixture = Sources::new().source("user", &skills).load();
        write(&fixture, "SKILL.md", &skill(START, "Lint $FILE for $what."));
        write(&fixture, "references/style.md", "Style.");
        let catalog = fixture.catalog.reload();
        let mut session = Session::new(options);
        session.set_variable("FILE", "a.rs");
        session.turn(&catalog, "/lint style", Surface::User);
        assert_eq!(session.active().len(), 1);
        change(&fixture);
        let catalog = catalog.reload();
        // What the host fills in is not of the skill, and is not stored.
        let mut session = Session::restore(session.save(), Options::DEFAULT);
        session.set_tools([("shell", crate::options::ToolKind::Shell)]);
        session.gives_the_same(&catalog, &session.active()[0])
    }

    #[test]
    fn what_the_model_was_given_counts_and_nothing_else() {
        let body = "Lint $FILE for $what.";
        let edited = |front: &str, body: &str| {
            let text = skill(front, body);
            after(Options::DEFAULT, |it| write(it, "SKILL.md", &text))
        };
        assert_eq!(edited(START, body), Some(true));
        assert_eq!(
            edited(&START.replace("Lints.", "Lints it."), body),
            Some(true)
        );
        assert_eq!(edited(START, "Lint $FILE for bugs."), Some(false));
        let tools = format!("{START}\nallowed-tools: Read");
        assert_eq!(edited(&tools, body), Some(false));
        let denied = format!("{START}\ndisallowed-tools: Write");
        assert_eq!(edited(&denied, body), Some(false));

        let file = |path: &str, text: &str| after(Options::DEFAULT, |it| write(it, path, text));
        assert_eq!(file("references/style.md", "Other."), Some(true));
        assert_eq!(
            file("references/new.md", "New."),
            Some(false),
            "its name is listed"
        );
        let gone = after(Options::DEFAULT, |it| {
            fs::remove_dir_all(it.dir.path().join("user/lint")).unwrap();
        });
        assert_eq!(gone, None);
    }
}
