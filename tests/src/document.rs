//! A document of cases.

use crate::block::{Block, Fence, blocks};
use crate::case::{Case, Expectation, Part};
use crate::console::Console;
use crate::conversation::{self, Conversation};
use crate::folder::{DATA, File};
use crate::table;
use pulldown_cmark::HeadingLevel;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A Markdown file and the cases in it.
#[derive(Clone, Debug)]
pub struct Document {
    /// The path of the file.
    pub path: PathBuf,
    /// The cases, in order.
    pub cases: Vec<Case>,
    text: String,
}

/// Returns the Markdown files below a folder, in order of their paths.
pub fn documents(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Document {
    /// Reads a document. `name` is the prefix of the names of its cases.
    pub fn read(path: PathBuf, name: &str) -> Result<Self, String> {
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = text.replace(".local/share", DATA);
        let cases = cases(name, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path, cases, text })
    }

    /// Returns the document with the present output of the program. Tables stay unchanged.
    pub fn updated(&self) -> Result<String, String> {
        let mut text = self.text.clone();
        let mut updates = Vec::new();
        for case in &self.cases {
            updates.extend(
                case.updates()
                    .map_err(|error| format!("{}: {error}", case.name))?,
            );
        }
        updates.sort_by_key(|update| update.range.start);
        for update in updates.into_iter().rev() {
            text.replace_range(update.range, &update.text);
        }
        if blocks(&text).len() != blocks(&self.text).len() {
            return Err(format!(
                "{}: what came holds a fence; make that of its block longer",
                self.path.display()
            ));
        }
        Ok(text)
    }
}

/// A heading with its blocks, up to the next heading.
#[derive(Clone, Default)]
struct Section {
    title: String,
    files: Vec<File>,
    options: Option<String>,
    parts: Vec<Part>,
    rows: Vec<(usize, table::Expected)>,
    /// The conversations, each with the line of its header.
    conversations: Vec<(usize, Conversation)>,
}

impl Section {
    fn expects_nothing(&self) -> bool {
        self.parts.is_empty() && self.rows.is_empty() && self.conversations.is_empty()
    }
}

fn cases(name: &str, text: &str) -> Result<Vec<Case>, String> {
    let mut shared = Section::default();
    let mut sections: Vec<Section> = Vec::new();
    for block in blocks(text) {
        match block {
            Block::Heading {
                level: HeadingLevel::H1,
                ..
            } => {}
            Block::Heading { text, .. } => sections.push(Section {
                title: text,
                ..Section::default()
            }),
            other => sections.last_mut().unwrap_or(&mut shared).add(other)?,
        }
    }
    if !shared.expects_nothing() {
        return Err("a case stands before the first heading of level two".to_owned());
    }
    let mut cases = Vec::new();
    for section in sections {
        section.cases(name, &shared, &mut cases)?;
    }
    let mut names = BTreeSet::new();
    match cases
        .iter()
        .find(|case: &&Case| !names.insert(case.name.clone()))
    {
        Some(twin) => Err(format!("two cases are called `{}`", twin.name)),
        None => Ok(cases),
    }
}

impl Section {
    fn add(&mut self, block: Block) -> Result<(), String> {
        match block {
            Block::Table(rows) if table::is_one(&rows) => self.rows.extend(table::parse(&rows)?),
            Block::Table(rows) if conversation::is_one(&rows) => {
                self.conversations.push(Conversation::parse(&rows)?);
            }
            Block::Fence(fence) => self.add_fence(&fence)?,
            Block::Table(_) | Block::Heading { .. } => {}
        }
        Ok(())
    }

    fn add_fence(&mut self, fence: &Fence) -> Result<(), String> {
        match fence.info.as_str() {
            "console" => self.parts.push(Part::Console(Console::parse(fence)?)),
            "options" => self.options = Some(fence.text.replace('\n', " ")),
            _ => match File::of(fence)? {
                Some(file) if self.parts.is_empty() => self.files.push(file),
                Some(file) => self.parts.push(Part::Holds(file)),
                None => {}
            },
        }
        Ok(())
    }

    fn cases(self, document: &str, shared: &Self, cases: &mut Vec<Case>) -> Result<(), String> {
        let name = format!("{document}::{}", self.title);
        if self.expects_nothing() {
            if self.files.is_empty() && self.options.is_none() {
                return Ok(());
            }
            return Err(format!("`{}` has files and expects nothing", self.title));
        }
        let files = [&shared.files[..], &self.files[..]].concat();
        let options = self
            .options
            .or_else(|| shared.options.clone())
            .unwrap_or_default();
        for (line, row) in self.rows {
            cases.push(Case {
                name: format!("{name}::{line}: {}", row.text().replace('\n', "⏎")),
                files: files.clone(),
                expectation: Expectation::Row {
                    options: options.clone(),
                    row: Box::new(row),
                },
            });
        }
        for (line, conversation) in self.conversations {
            cases.push(Case {
                name: format!("{name}::{line}: a conversation"),
                files: files.clone(),
                expectation: Expectation::Conversation {
                    options: options.clone(),
                    conversation,
                },
            });
        }
        if !self.parts.is_empty() {
            cases.push(Case {
                name,
                files,
                expectation: Expectation::Session(self.parts),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::cases;

    #[test]
    fn what_cannot_fail_is_refused() {
        for text in [
            "```console\n$ skills list\n```\n",
            "## A\n```md x\n```\n",
            "## A\n```console\n$ skills list\n```\n## A\n```console\n$ skills list\n```\n",
            "## A\n| text | outcome |\n|-|-|\n| `x` | |\n",
            "## A\n| text | outcome |\n|-|-|\n| x | text |\n",
            "## A\n| text | outcomes |\n|-|-|\n| `x` | text |\n",
            "## A\n| turn | active |\n|-|-|\n| `x` | x |\n",
            "## A\n| turn | enters |\n|-|-|\n| x | x |\n",
            "## A\n| turn | enters |\n|-|-|\n",
            "## A\n```md ../x\n```\n```console\n$ skills list\n```\n",
        ] {
            assert!(cases("d", text).is_err(), "{text}");
        }
    }

    #[test]
    fn names() {
        let text = "# T\n```md a\n```\n## A\n| text | outcome |\n|-|-|\n| `x` | text |\n### B\n```console\n$ skills list\n```\n## C\nprose\n";
        let cases = cases("d", text).unwrap_or_default();
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["d::A::7: x", "d::B"]);
        assert!(cases.iter().all(|case| case.files.len() == 1));
    }
}
