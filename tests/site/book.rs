//! Changes the chapters of the book before mdBook renders them.
//!
//! - Each section of a page in [`SPLIT`] becomes a page of its own.
//! - A link to a page leads to it, a link to any other file of the repository to the repository.
//! - A code block that is a file of a case shows its path.

use crate::repository;
use serde_json::{Value, json};
use skills_lint::NEVER_SUPPRESSED;
use skills_lint::rules::{self, OTHERS};
use skills_tests::markdown::{self, Heading};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

/// Pages whose sections become pages, in a folder of the page's name.
const SPLIT: [&str; 2] = ["docs/rules.md", "docs/clients.md"];

/// The pages of the site. Paths of files start at the root of the repository, paths of pages at the root of the site.
struct Site {
    /// The page of each file.
    pages: BTreeMap<String, String>,
    /// The page of each section of a page that is split, by file and anchor.
    sections: BTreeMap<(String, String), String>,
    /// The address of the repository's files.
    files: String,
}

/// Reads the book as mdBook writes it, and writes the changed book.
pub(crate) fn preprocess(input: impl Read, mut output: impl Write) -> Result<(), String> {
    let input: Value = serde_json::from_reader(input).map_err(|error| error.to_string())?;
    let mut book = input.get(1).cloned().ok_or("no book")?;
    let items = book.get_mut("items").and_then(Value::as_array_mut);
    let items = items.ok_or("this version of mdBook has another form of books")?;

    let mut site = Site {
        pages: BTreeMap::new(),
        sections: BTreeMap::new(),
        files: address()?,
    };
    let chapters = || items.iter().filter_map(|item| item.get("Chapter"));
    for (file, chapter) in chapters().filter_map(|it| Some((file_of(it)?, it))) {
        let page = page_of(&file, chapter);
        if SPLIT.contains(&file.as_str()) {
            for section in sections(text(chapter, "content")) {
                let path = format!("{}/{}.md", page.trim_end_matches(".md"), section.anchor);
                site.sections.insert((file.clone(), section.anchor), path);
            }
        }
        site.pages.insert(file, page);
    }
    let chapters = items.iter_mut().filter_map(|it| it.get_mut("Chapter"));
    for (file, chapter) in chapters.filter_map(|it| Some((file_of(it)?, it))) {
        site.change(&file, chapter)?;
    }
    if repository().join("docs/play/index.html").is_file() {
        let text = "# Playground\n\n[Open the playground](play/index.html): paste a `SKILL.md`, and see its findings and \
                    what each client makes of it. Nothing leaves the page.\n";
        let after_tour = items.iter().position(|item| item.get("Chapter").is_none());
        items.insert(
            after_tour.unwrap_or_default(),
            chapter("Playground", "playground.md", text),
        );
    }
    serde_json::to_writer(&mut output, &book).map_err(|error| error.to_string())
}

impl Site {
    /// Changes a chapter, and adds the chapters of its sections.
    fn change(&self, file: &str, chapter: &mut Value) -> Result<(), String> {
        let content = text(chapter, "content").to_owned();
        let page = page_of(file, chapter);
        let mut parts: Vec<Value> = Vec::new();
        let mut head = content.as_str();
        if SPLIT.contains(&file) {
            let sections = sections(&content);
            let starts = sections.iter().map(|section| section.range.start);
            let ends = starts.clone().skip(1).chain([content.len()]);
            head = content
                .get(..starts.clone().next().unwrap_or(content.len()))
                .unwrap_or_default();
            for (section, end) in sections.iter().zip(ends) {
                let body = content.get(section.range.end..end).unwrap_or_default();
                let path = &self.sections[&(file.to_owned(), section.anchor.clone())];
                let (name, body) = titled(section, body);
                let body = self.linked(file, path, &body)?;
                let body = format!("# {name}\n\n{body}{}", level(section, path));
                parts.push(self::chapter(&name, path, &shown(&body)));
            }
        }
        if file == "docs/rules.md" {
            parts.push(others());
        }
        chapter["content"] = shown(&self.linked(file, &page, head)?).into();
        chapter["path"] = page.into();
        // The numbers make the sidebar nest the chapters.
        let number = chapter["number"].as_array().cloned().unwrap_or_default();
        for (part, at) in parts.iter_mut().zip(1..) {
            let number = number.iter().cloned().chain([Value::from(at)]);
            part["Chapter"]["number"] = number.collect();
        }
        chapter["sub_items"] = parts.into();
        Ok(())
    }

    /// Changes the links of a file's text for the page on which the text stands.
    fn linked(&self, file: &str, page: &str, text: &str) -> Result<String, String> {
        let mut linked = text.to_owned();
        for range in markdown::targets(text).into_iter().rev() {
            let target = &text[range.clone()];
            if !target.contains("://") && !target.starts_with("mailto:") {
                linked.replace_range(range, &self.target(file, page, target)?);
            }
        }
        Ok(linked)
    }

    fn target(&self, file: &str, page: &str, target: &str) -> Result<String, String> {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let to = match path {
            "" => file.to_owned(),
            path => joined(file, path),
        };
        if let Some(section) = self.sections.get(&(to.clone(), anchor.to_owned())) {
            return Ok(relative(page, section));
        }
        let anchor = match anchor {
            "" => String::new(),
            anchor => format!("#{anchor}"),
        };
        let on_disk = repository().join(&to);
        Ok(match (self.pages.get(&to), to.strip_prefix("docs/")) {
            (Some(there), _) => relative(page, there) + &anchor,
            (None, Some(copied)) if on_disk.is_file() => relative(page, copied),
            _ if on_disk.exists() => {
                let kind = if on_disk.is_dir() { "tree" } else { "blob" };
                format!("{}/{kind}/main/{to}{anchor}", self.files)
            }
            _ => return Err(format!("{file}: the link {target} leads nowhere")),
        })
    }
}

/// Returns the address of the repository in the manifest.
fn address() -> Result<String, String> {
    let manifest = fs::read_to_string(repository().join("Cargo.toml"));
    let manifest = manifest.map_err(|error| error.to_string())?;
    let manifest: toml::Table = manifest.parse().map_err(|_| "the manifest is not TOML")?;
    let address = manifest["workspace"]["package"]["repository"].as_str();
    Ok(address.ok_or("no address of the repository")?.to_owned())
}

fn chapter(name: &str, path: &str, content: &str) -> Value {
    json!({ "Chapter": {
        "name": name, "content": content, "number": null, "sub_items": [], "path": path,
        "source_path": path, "parent_names": [],
    }})
}

fn text<'a>(chapter: &'a Value, key: &str) -> &'a str {
    chapter.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the file of a chapter.
fn file_of(chapter: &Value) -> Option<String> {
    let source = chapter.get("source_path")?.as_str()?;
    Some(joined("docs/SUMMARY.md", source))
}

/// Returns the page of a file. Files outside of `docs` become pages at the root of the site: `security.md`.
fn page_of(file: &str, chapter: &Value) -> String {
    if file.starts_with("docs/") {
        text(chapter, "path").to_owned()
    } else {
        file.to_lowercase()
    }
}

fn sections(text: &str) -> Vec<Heading> {
    let headings = markdown::headings(text).into_iter();
    headings.filter(|heading| heading.level == 2).collect()
}

/// Returns the title of a section's page, and its text. A section may begin with its title in bold: `**Claude Code**`.
fn titled(section: &Heading, body: &str) -> (String, String) {
    let body = body.trim_start();
    let bold = body
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**\n"));
    match bold {
        Some((title, rest)) => {
            let name = format!(
                "The name of this client in commands and in `skills.toml` is `{}`.\n",
                section.text
            );
            (title.to_owned(), name + rest)
        }
        None => (section.text.clone(), body.to_owned()),
    }
}

/// Returns how the level of a rule is changed: the end of its page. Nothing for another section.
fn level(section: &Heading, page: &str) -> String {
    let Some(rule) = rules::find(&section.text).filter(|_| page.starts_with("rules/")) else {
        return String::new();
    };
    let id = rule.id;
    let in_a_file = if NEVER_SUPPRESSED.contains(&id) {
        "No comment in a file allows a finding of this rule.".to_owned()
    } else {
        format!(
            "In a Markdown file, `<!-- skills: allow {id} -->` allows the findings in the next block, and `allow-file` \
             those in the whole file."
        )
    };
    format!(
        "\n## Turn it on or off\n\nIn `skills.toml` above the skills:\n\n```toml\nallow = [\"{id}\"]\n```\n\n`deny` makes \
         an error of it, `warn` a warning. `skills check --allow {id}` turns it off for one run. {in_a_file} [The options \
         of a check](../configuration.md) has more.\n"
    )
}

/// Returns the page of the ids that are not rules.
fn others() -> Value {
    let mut text = "# Findings without a rule\n\nThese are reported when skills are found, loaded or baked. They have no level \
                    to set.\n"
        .to_owned();
    for other in OTHERS {
        let _ = write!(text, "\n## {}\n\n{}", other.id, rules::explain_other(other));
    }
    chapter("Findings without a rule", "rules/without-a-rule.md", &text)
}

/// Writes the path of a block that is a file above the block. A skill is plain text: with the colours of Markdown, its
/// front matter is a heading.
fn shown(text: &str) -> String {
    let mut shown = text.to_owned();
    for block in markdown::blocks(text).into_iter().rev() {
        let language = match block.language.as_str() {
            "md" | "markdown" => "text",
            other => other,
        };
        shown.replace_range(block.info, language);
        if let Some(path) = block.path {
            shown.insert_str(block.start, &format!("`{path}`\n\n"));
        }
    }
    shown
}

/// Resolves a path that is relative to the folder of a file.
fn joined(file: &str, path: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<String> = Vec::new();
    for part in folder.join(path).components() {
        match part.as_os_str().to_string_lossy().as_ref() {
            ".." => drop(parts.pop()),
            part => parts.push(part.to_owned()),
        }
    }
    parts.join("/")
}

/// Returns the path from a page to another.
fn relative(from: &str, to: &str) -> String {
    "../".repeat(from.matches('/').count()) + to
}
