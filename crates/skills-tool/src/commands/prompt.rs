//! `skills prompt`: prints the catalog text, which lists the skills for a model.

use crate::catalog::options::ClientOptions;
use crate::catalog::options::{CatalogArguments, CatalogOptions, profile_named};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted, some_of};
use clap::Args;
use serde_json::json;
use skills_clients::listing::{Listed, Listing, Shown};
use skills_clients::reading::Found;
use skills_format::text::path::PathText as _;
use skills_format::{estimate_tokens, prose};
use skills_session::Dialect as _;
use skills_session::commands::for_model;
use skills_session::options::Budget;
use skills_store::disk;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Prompt {
    /// The maximum number of characters, instead of the budget of the profile
    #[arg(long, value_name = "N", conflicts_with = "client")]
    budget: Option<usize>,
    /// With --client: a folder of skills, instead of the folders in which the client looks
    #[arg(value_name = "PATH", requires = "client")]
    path: Option<PathBuf>,
    #[command(flatten)]
    client: ClientOptions,
    #[command(flatten)]
    catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills prompt
  skills prompt --client codex --context 200k
  skills prompt skills --client claude-code --context 200k

With --client, only the lines that the client would list are printed. The text around them is left out, but counts towards the size.";

impl Prompt {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if let Some(client) = self.client.client {
            let (skills, others) = match &self.path {
                Some(path) => of_folder(client, path, cx.env)?,
                None => (self.of_client(client, cx)?, Vec::new()),
            };
            self.print_cut(client, &skills, cx)?;
            note_skills("not listed", &others, cx);
            return Ok(Outcome::Done);
        }
        let (catalog, profile) = self.catalog.open(&[], cx)?;
        let mut profile = profile.clone();
        if let Some(characters) = self.budget {
            profile.options.catalog.budget = Budget::Characters(characters);
        }
        let rendered = profile.list(&catalog);
        cx.report(&rendered)?;
        print(&rendered.text, cx)?;
        cx.note(format!("about {}", counted(rendered.tokens, "token")));
        note_skills("shortened", &rendered.shortened, cx);
        note_skills("left out", &rendered.omitted, cx);
        Ok(Outcome::Done)
    }

    /// Returns the skills of a client: without options of the catalog, those of its own profile.
    fn of_client(&self, client: &Listing, cx: &mut Ctx) -> Result<Vec<Offered>, Failure> {
        let mut options = self.catalog.options.clone();
        if !options.is_given() && client.name != "default" {
            let title = &client.title;
            match profile_named(&client.name) {
                Some(profile) => options = CatalogOptions::of(Some(profile)),
                None => cx.note(prose!(
                    "how {title} reads its folders is not known: these are the skills of `skills list`"
                )),
            }
        }
        let catalog = options.catalog(&[], cx)?;
        let skills = for_model(&catalog).map(|entry| {
            // A bundled skill has the path that an install would give it.
            let place = entry.place();
            let path = cx.env.absolute(Path::new(&*cx.env.expanded(&place)));
            let (location, root) = match path.parent().and_then(Path::parent) {
                Some(root) if client.reads.is_some() => {
                    (path.shown().into_owned(), root.shown().into_owned())
                }
                _ => (place, String::new()),
            };
            Offered {
                id: entry.id().into_owned(),
                description: entry.description().to_owned(),
                when_to_use: entry
                    .fields()
                    .when_to_use
                    .as_deref()
                    .unwrap_or_default()
                    .to_owned(),
                location,
                root,
            }
        });
        Ok(skills.collect())
    }

    /// Prints the part of these skills that a client would show.
    fn print_cut(&self, client: &Listing, skills: &[Offered], cx: &mut Ctx) -> Result<(), Failure> {
        let title = &client.title;
        let listed = skills.iter().map(|skill| Listed {
            name: &skill.id,
            description: &skill.description,
            when_to_use: &skill.when_to_use,
            location: &skill.location,
            root: &skill.root,
        });
        let listed: Vec<Listed<'_>> = listed.collect();
        let home = cx.env.home.as_deref().map(|home| home.shown());
        let cut = client.cut_in(home.as_deref(), self.client.context, &listed);
        let ids = |shown| -> Vec<&str> {
            let with = skills.iter().zip(&cut.skills);
            let with = with.filter(|(_, kept)| kept.shown == shown);
            with.map(|(skill, _)| skill.id.as_str()).collect()
        };
        let text = cut.text();
        let (shortened, bare, omitted) =
            (ids(Shown::Shortened), ids(Shown::Bare), ids(Shown::Gone));
        let (source, budget) = (&client.source, client.has_budget().then_some(cut.budget));
        let document = json!({
            "text": text,
            "shortened": shortened,
            "omitted": omitted,
            "tokens": estimate_tokens(&text),
            "client": {
                "name": client.name,
                "title": title,
                "source": source.at,
                "seen": source.seen,
                "version": source.version,
                "context": self.client.context,
            },
            "bare": bare,
            // `null` for a client that lists everything.
            "budget": budget,
            "unit": cut.unit,
            "whole": cut.whole,
            "used": cut.used,
        });
        cx.report(&document)?;
        print(&text, cx)?;
        let (used, whole, unit) = (cut.used, cut.whole, cut.unit.as_str());
        cx.note(match budget {
            Some(most) => {
                let of = ["the limit is", "over the limit of"][usize::from(used > most)];
                format!("{title}: {used} {unit}; {of} {most} ({whole} if nothing were shortened)")
            }
            None => format!("{title}: {used} {unit}; it lists everything"),
        });
        note_skills("shortened", &shortened, cx);
        note_skills("by name alone", &bare, cx);
        note_skills("left out", &omitted, cx);
        if let Some(remark) = &client.remark {
            cx.note(remark);
        }
        let version = source.version.as_ref();
        let version = version.map_or_else(String::new, |it| format!(" {it}"));
        cx.note(format!("as of {title}{version}, {}", source.seen));
        Ok(())
    }
}

/// A skill offered to a model.
struct Offered {
    id: String,
    description: String,
    when_to_use: String,
    location: String,
    /// The folder of skills with which the location begins; empty if not known.
    root: String,
}

/// Reads a folder of skills as a client does. Returns the files too that the client does not list.
fn of_folder(
    client: &Listing,
    path: &Path,
    env: &Environment,
) -> Result<(Vec<Offered>, Vec<String>), Failure> {
    let root = env.absolute(path);
    let found = Walk::found(&root)?;
    let is_of_skills = found.iter().any(|file| file.path.split('/').count() == 2);
    let Some(reader) = client.reads.filter(|_| is_of_skills) else {
        let how =
            ["is not known to read", "reads no skill in"][usize::from(client.reads.is_some())];
        return Err(Failure::not_so(
            prose!("{} {how} {}", &client.title, path),
            "name a folder of skills, each in a folder of its own; or take its list with --layer user=FOLDER",
        ));
    };
    let mut others: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
    let listed = reader.read(found);
    others.retain(|path| !listed.iter().any(|skill| skill.path == *path));
    let root = root.shown().into_owned();
    let skills = listed.into_iter().map(|skill| Offered {
        id: skill.name,
        description: skill.description,
        when_to_use: skill.when_to_use,
        location: format!("{root}/{}", skill.path),
        root: root.clone(),
    });
    Ok((skills.collect(), others))
}

/// A walk through a folder and all links in it, which finds every file `SKILL.md`.
struct Walk<'a> {
    root: &'a Path,
    /// The folders above, with their links resolved: a folder that is among them is a circle.
    above: Vec<PathBuf>,
    found: Vec<Found>,
    /// The number of items that may still be looked at.
    left: usize,
}

/// The maximum depth of the walk: deeper than any program searches.
const DEPTH: usize = 16;
/// The maximum size of a file that is read: more than Claude Code reads, so that a larger file is known as one.
const SIZE: u64 = 1 << 20;
/// The maximum number of files and folders that one walk looks at. Links lead anywhere: one link of a cloned project
/// to `/` would be a walk through the whole disk.
const ITEMS: usize = 20_000;

impl<'a> Walk<'a> {
    fn found(root: &'a Path) -> Result<Vec<Found>, Failure> {
        let mut walk = Walk {
            root,
            above: Vec::new(),
            found: Vec::new(),
            left: ITEMS,
        };
        walk.folder(root, DEPTH)?;
        Ok(walk.found)
    }

    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), Failure> {
        let Ok(resolved) = fs::canonicalize(folder) else {
            return Ok(());
        };
        if depth == 0 || self.above.contains(&resolved) {
            return Ok(());
        }
        let items = fs::read_dir(folder).into_iter().flatten().flatten();
        let items = items.take(self.left + 1).map(|item| item.path());
        let mut items: Vec<PathBuf> = items.collect();
        self.left = self.left.checked_sub(items.len()).ok_or_else(|| {
            Failure::failed(
                prose!("{} leads to more than {ITEMS} files and folders", self.root),
                prose!(
                    "remove the link or the folder that contains so many, such as {}",
                    folder
                ),
            )
        })?;
        items.sort();
        self.above.push(resolved);
        for item in items {
            if item.is_dir() {
                self.folder(&item, depth - 1)?;
            } else if item.file_name().is_some_and(|name| name == "SKILL.md") {
                self.found.extend(found(self.root, &item));
            }
        }
        self.above.pop();
        Ok(())
    }
}

/// Reads the file of a skill below a folder of skills, and what belongs to it.
fn found(root: &Path, path: &Path) -> Option<Found> {
    let policy = path.parent()?.join("agents/openai.yaml");
    Some(Found {
        path: path.strip_prefix(root).ok()?.shown().into_owned(),
        resolved: fs::canonicalize(path).ok()?.shown().into_owned(),
        is_link: path.is_symlink(),
        text: read(path)?,
        policy: read(&policy).and_then(|text| String::from_utf8(text).ok()),
    })
}

/// Reads the beginning of a regular file.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let file = disk::open(path).ok()?;
    file.take(SIZE).read_to_end(&mut text).ok()?;
    Some(text)
}

fn print(text: &str, cx: &mut Ctx) -> Result<(), Failure> {
    cx.foreign(text)?;
    if !text.is_empty() {
        writeln!(cx)?;
    }
    Ok(())
}

/// Notes a fact about skills, and names the first skills. The document names all skills.
fn note_skills<T: AsRef<str>>(what: &str, skills: &[T], cx: &mut Ctx) {
    const NAMED: usize = 5;
    if skills.is_empty() {
        return;
    }
    let count = counted(skills.len(), "skill");
    cx.note(format!("{count} {what}: {}", some_of(skills, NAMED)));
}

#[cfg(all(test, unix))]
mod client_folder_tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_does_not_lead_through_a_whole_disk() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let (skills, disk) = (dir.path().join("skills"), dir.path().join("disk"));
        fs::create_dir_all(skills.join("a"))?;
        fs::create_dir(&disk)?;
        fs::write(skills.join("a/SKILL.md"), "---\nname: a\n---\n")?;
        symlink(&disk, skills.join("root"))?;
        for file in 0..ITEMS - 3 {
            fs::write(disk.join(file.to_string()), "")?;
        }
        // `a`, `a/SKILL.md` and `root` are items too.
        assert_eq!(Walk::found(&skills).map(|found| found.len()).ok(), Some(1));
        fs::write(disk.join("more"), "")?;
        let Err(Failure::Failed(message)) = Walk::found(&skills) else {
            panic!("the walk ends");
        };
        let help = message.help.to_string();
        assert!(help.contains("skills/root"), "{help}");
        Ok(())
    }
}
