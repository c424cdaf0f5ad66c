//! The frame of a page around its sections: head, header, navigation, footer.

use crate::page::counts::PageIndex;
use crate::page::data::{Page, PageSkill, Subject};
use crate::page::escape::shortened;
use crate::page::file::BEGINNING;
use crate::page::html::{Html, bytes, counted, grouped, html};
use crate::page::{budget, bundles, findings, links, neighbours, skills, verdict, weight};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use skills_format::{Digest, join};
use std::collections::BTreeSet;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Maximum characters of a path or name in a title.
const MAX_TITLE: usize = 200;
/// Maximum number of shown notes.
const MAX_NOTES: usize = 20;

/// One section of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    /// The content; `None` if the page leaves the section out.
    content: Option<Html>,
}

impl Page {
    /// Renders the page. The same data gives the same bytes.
    ///
    /// # Cost
    ///
    /// Bounded: long lists are cut, and the page says where the rest can be seen.
    pub fn html(&self) -> String {
        let index = PageIndex::new(self);
        let alike = neighbours::find(&index);
        let seen = budget::seen(self);
        let verdict = verdict::render(self, &index, &alike, &seen);
        let sections = [
            Section::new("budget", "Budget", budget::render(self)),
            Section::new(
                "neighbours",
                "Easily confused",
                neighbours::render(self, &index, alike),
            ),
            Section::new("weight", "Weight", weight::render(&index)),
            Section::new("skills", "Skills", Some(skills::render(self, &index))),
            Section::new("findings", "Findings", Some(findings::render(self, &index))),
            Section::new("links", "Links between skills", Some(links::render(&index))),
            Section::new("bundles", "Bundles", Some(bundles::render(self))),
        ];
        let mut out = Html::default();
        out.raw(BEGINNING);
        self.head(&mut out);
        self.header(&mut out, &index);
        navigation(&mut out, &sections);
        html!(out, "<main>\n");
        Section::new("verdict", "In short", Some(verdict)).render(&mut out);
        for section in &sections {
            section.render(&mut out);
        }
        html!(out,
            "</main>\n<footer><p>Made by <code>skills page</code> " (env!("CARGO_PKG_VERSION"))
            ". The page loads nothing and sends nothing.</p></footer>\n"
        );
        html!(out, "<script>");
        out.raw(SCRIPT);
        html!(out, "</script>\n</body>\n</html>\n");
        out.finish()
    }

    /// Counts the pairs of skills whose descriptions cannot be distinguished.
    pub fn inseparable(&self) -> usize {
        verdict::inseparable(&neighbours::find(&PageIndex::new(self)))
    }

    fn title(&self) -> String {
        let (before, name) = match &self.subject {
            Subject::Folder(path) => ("Skills in", path),
            Subject::Program(name) => ("Skills of the program", name),
        };
        format!("{before} {}", shortened(name, MAX_TITLE))
    }

    fn head(&self, out: &mut Html) {
        let hash = STANDARD.encode(Digest::of(SCRIPT.as_bytes()).0);
        html!(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'; script-src 'sha256-" (hash)
            "'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
        );
        html!(out,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
            "name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>"
            (self.title()) "</title>\n<style>"
        );
        out.raw(STYLE);
        html!(out, "</style>\n</head>\n");
    }

    fn header(&self, out: &mut Html, index: &PageIndex<'_>) {
        html!(
            out,
            "<body>\n<a class=\"skip\" href=\"#findings\">Go to the findings</a>\n<header>\n<h1>"
        );
        let name = match &self.subject {
            Subject::Folder(path) => {
                html!(out, "Skills in ");
                path
            }
            Subject::Program(name) => {
                html!(out, "Skills of the program ");
                name
            }
        };
        html!(out, "<code><bdi>" (shortened(name, MAX_TITLE)) "</bdi></code></h1>\n<ul class=\"facts\">\n");
        for (number, what) in self.facts(index) {
            html!(out, "<li><strong>" (number) "</strong> " (what) "</li>\n");
        }
        html!(out, "</ul>\n");
        self.uncounted(out);
        self.origin(out);
        for note in self.notes.iter().take(MAX_NOTES) {
            html!(out, "<p class=\"note\">" (shortened(note, MAX_TITLE)) "</p>\n");
        }
        html!(out, "</header>\n");
    }

    /// Says why a folder has more files `SKILL.md` than the page has skills.
    fn uncounted(&self, out: &mut Html) {
        let skills = || self.bundles.iter().flat_map(|bundle| &bundle.skills);
        let shown: BTreeSet<&str> = skills().filter_map(|skill| skill.path.as_deref()).collect();
        let inner = skills().flat_map(|skill| {
            let folder = skill.path.as_deref().unwrap_or_default();
            let files = skill.files.iter().flatten();
            let folders = files.filter_map(|file| file.path.strip_suffix("/SKILL.md"));
            folders.map(move |inside| join(folder, inside))
        });
        let inner = inner.filter(|path| !shown.contains(path.as_str())).count();
        let mut reasons = Vec::new();
        match self.copies {
            0 => {}
            1 => reasons.push("1 copy of a skill".to_owned()),
            copies => reasons.push(format!("{} copies of skills", grouped(copies))),
        }
        match inner {
            0 => {}
            inner => reasons.push(format!(
                "{} SKILL.md inside of a skill, which count as its files",
                grouped(inner)
            )),
        }
        if !reasons.is_empty() {
            html!(out, "<p class=\"note\">Not counted: " (reasons.join(", ")) ".</p>\n");
        }
    }

    /// Says when the page was made, and of which commit.
    fn origin(&self, out: &mut Html) {
        let commit = self.commit.as_deref().map(shortened_id);
        match (&self.made, commit) {
            (Some(made), Some(commit)) => {
                html!(out, "<p class=\"note\">Made " (made) ", after commit <code>" (commit) "</code>.</p>\n");
            }
            (Some(made), None) => html!(out, "<p class=\"note\">Made " (made) ".</p>\n"),
            (None, Some(commit)) => {
                html!(out, "<p class=\"note\">After commit <code>" (commit) "</code>.</p>\n");
            }
            (None, None) => {}
        }
    }

    /// Returns the numbers at the top of the page, each with its label.
    fn facts(&self, index: &PageIndex<'_>) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let mut count = |number: usize, one: &str| {
            let words = counted(number, one);
            let what = words.split_once(' ').map_or("", |(_, what)| what);
            facts.push((grouped(number), what.to_owned()));
        };
        count(index.skills.len(), "skill");
        if self.bundles.len() > 1 {
            count(self.bundles.len(), "bundle");
        }
        if let Some(files) = index.sum(|skill| Some(skill.files.as_ref()?.len())) {
            count(files.sum, "file");
        }
        if let Some(size) = index.sum(PageSkill::size) {
            let written = bytes(size.sum);
            let (number, unit) = written.split_once(' ').unwrap_or((&written, ""));
            facts.push((number.to_owned(), format!("{unit}{}", size.without())));
        }
        if let Some(tokens) = index.sum(|skill| skill.tokens) {
            let what = format!("tokens of instructions (estimated{})", tokens.without());
            facts.push((grouped(tokens.sum), what));
        }
        facts
    }
}

fn navigation(out: &mut Html, sections: &[Section]) {
    html!(out, "<nav aria-label=\"Sections\"><ul>\n");
    for section in sections.iter().filter(|section| section.content.is_some()) {
        html!(out, "<li><a href=\"#" (section.id) "\">" (section.title) "</a></li>\n");
    }
    html!(out, "</ul></nav>\n");
}

/// Returns the first characters of a commit's id, as git shows them.
fn shortened_id(id: &str) -> String {
    id.chars().take(12).collect()
}

impl Section {
    fn new(id: &'static str, title: &'static str, content: Option<Html>) -> Self {
        Self { id, title, content }
    }

    fn render(&self, out: &mut Html) {
        let Some(content) = &self.content else {
            return;
        };
        html!(out,
            "<section id=\"" (self.id) "\" aria-labelledby=\"" (self.id) "-title\">\n<h2 id=\"" (self.id)
            "-title\">" (self.title) "</h2>\n"
        );
        out.html(content);
        html!(out, "</section>\n");
    }
}
