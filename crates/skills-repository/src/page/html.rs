//! The page as HTML: a verdict, and the tables of findings, budgets and powers.

use crate::page::budget::{Budget, budgets, is_offered};
use crate::page::{BEGINNING, Page, PageSkill, Subject};
use skills_format::text::control::shown;
use skills_format::{Diagnostic, Position, Severity};
use skills_lint::render::masked;
use skills_lint::rules::harms;
use skills_permit::{PowerKind, Powers};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter, Write as _};

const STYLE: &str = include_str!("style.css");

/// Maximum characters of a name, of a message or path, and of a description.
const MAX_NAME: usize = 120;
const MAX_TEXT: usize = 400;
const MAX_DESCRIPTION: usize = 240;
/// Maximum number of notes about skills that the page does not show.
const MAX_NOTES: usize = 20;
/// Number of messages of a rule that are shown without a click, and in all.
const OPEN_MESSAGES: usize = 2;
const MAX_MESSAGES: usize = 20;
/// Maximum number of places of a message.
const MAX_PLACES: usize = 5;
/// Maximum number of names of skills that a client cuts.
const MAX_LOST: usize = 8;
/// Number of skills from which their table is folded, and maximum number of rows.
const OPEN_SKILLS: usize = 30;
const MAX_SKILLS: usize = 2000;
/// Maximum number of powers of one kind.
const MAX_POWERS: usize = 6;

/// Foreign text: escaped, without the keys and tokens in it, and cut to a maximum number of characters.
struct Escaped<'t>(&'t str, usize);

fn is_harmful(found: &Diagnostic) -> bool {
    harms(
        found.rule.as_str(),
        found.severity,
        &found.message.to_string(),
    )
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // A key that is cut is not recognized any more, so keys are hidden first.
        for (at, c) in masked(self.0).chars().enumerate() {
            if at == self.1 {
                return f.write_char('…');
            }
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                // Control characters and marks of direction become visible, as on a terminal.
                c => f.write_char(shown(c))?,
            }
        }
        Ok(())
    }
}

/// Foreign text as an element whose direction does not reach the text around it.
struct Text<'t>(&'t str, usize);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "<bdi>{}</bdi>", Escaped(self.0, self.1))
    }
}

/// A message, with the text between two backticks as code.
struct Message<'t>(&'t str);

impl Display for Message<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Escaping adds no backtick.
        let html = Text(self.0, MAX_TEXT).to_string();
        if !html.matches('`').count().is_multiple_of(2) {
            return f.write_str(&html);
        }
        for (at, part) in html.split('`').enumerate() {
            match at % 2 {
                0 => f.write_str(part)?,
                _ => write!(f, "<code>{part}</code>")?,
            }
        }
        Ok(())
    }
}

impl Page {
    /// Renders the page. The same data gives the same bytes.
    ///
    /// # Cost
    ///
    /// Bounded: long lists are cut, and the page says how much is missing.
    pub fn html(&self) -> String {
        let mut html = String::from(BEGINNING);
        // Writing into a `String` cannot fail.
        let _ = self.write(&mut html);
        html
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let budgets = budgets(self);
        let (before, name) = match &self.subject {
            Subject::Folder(path) => ("Skills in", path),
            Subject::Program(name) => ("Skills of the program", name),
        };
        writeln!(
            out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src \
             data:; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
             <title>{before} {}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n\
             <h1>{before} <code>{}</code></h1>",
            Escaped(name, MAX_NAME),
            Text(name, MAX_NAME)
        )?;
        self.facts(out)?;
        writeln!(out, "</header>\n<main>")?;
        self.verdict(out, &budgets)?;
        self.findings(out)?;
        self.budgets(out, &budgets)?;
        self.powers(out)?;
        writeln!(
            out,
            "</main>\n<footer><p>Made by <code>skills page</code> {}. The page loads nothing and runs no script.</p></footer>\n\
             </body>\n</html>",
            env!("CARGO_PKG_VERSION")
        )
    }

    /// Writes the sizes, and where the page comes from.
    fn facts(&self, out: &mut String) -> fmt::Result {
        let mut facts = vec![counted(self.skills().count(), "skill")];
        if self.bundles.len() > 1 {
            facts.push(counted(self.bundles.len(), "bundle"));
        }
        let files: Vec<(usize, u64)> = self.skills().filter_map(|skill| skill.files).collect();
        if !files.is_empty() {
            facts.push(counted(files.iter().map(|(count, _)| count).sum(), "file"));
            facts.push(bytes(files.iter().map(|(_, size)| size).sum()));
        }
        let tokens: Vec<usize> = self.skills().filter_map(|skill| skill.tokens).collect();
        if !tokens.is_empty() {
            let tokens = grouped(tokens.iter().sum());
            facts.push(format!("about {tokens} tokens of instructions"));
        }
        writeln!(out, "<p>{}.</p>", facts.join(", "))?;
        if self.copies > 0 {
            let copies = grouped(self.copies);
            note(out, &format!("Not counted: copies of skills ({copies})."))?;
        }
        let made = self.made.as_deref();
        let made = made.map(|made| format!("made {}", Escaped(made, MAX_NAME)));
        let commit = self.commit.as_deref();
        let commit =
            commit.map(|id| format!("after commit <code>{}</code>", Escaped(id, MAX_NAME)));
        let origin: Vec<String> = made.into_iter().chain(commit).collect();
        if !origin.is_empty() {
            note(out, &format!("This page was {}.", origin.join(" ")))?;
        }
        for text in self.notes.iter().take(MAX_NOTES) {
            note(out, &Text(text, MAX_TEXT).to_string())?;
        }
        Ok(())
    }

    /// Says in three sentences whether the skills are in order.
    fn verdict(&self, out: &mut String, budgets: &[Budget<'_>]) -> fmt::Result {
        let all = self.skills().count();
        writeln!(
            out,
            "<section aria-label=\"Verdict\">\n<ul class=\"verdict\">"
        )?;
        if let Some(findings) = &self.findings {
            let of = |severity| findings.iter().filter(move |it| it.severity == severity);
            let (errors, warnings) = (of(Severity::Error).count(), of(Severity::Warning).count());
            let harmful = findings.iter().filter(|found| is_harmful(found)).count();
            let broken = self.skills().filter(|skill| skill.is_broken).count();
            let (class, word) = match (errors + broken + harmful, warnings) {
                (0, 0) => ("good", "In order."),
                (0, _) => ("warning", "No errors."),
                _ => ("error", "Problems:"),
            };
            write!(
                out,
                "<li class=\"{class}\"><strong>{word}</strong> {}, {}.",
                counted(errors, "error"),
                counted(warnings, "warning")
            )?;
            if harmful > 0 {
                write!(
                    out,
                    " {} can harm a person: start there.",
                    counted(harmful, "finding")
                )?;
            }
            if broken > 0 {
                write!(
                    out,
                    " Strict clients refuse {broken} of {}.",
                    counted(all, "skill")
                )?;
            }
            writeln!(out, "</li>")?;
        } else {
            writeln!(
                out,
                "<li><strong>Not checked.</strong> <code>skills check</code> checks the folder of the skills.</li>"
            )?;
        }
        let cut = budgets.iter().filter(|budget| !budget.shows_all());
        let cut: Vec<&str> = cut.map(|budget| budget.client).collect();
        if !budgets.is_empty() && cut.is_empty() {
            writeln!(
                out,
                "<li class=\"good\">Every client shows every description whole.</li>"
            )?;
        } else if !cut.is_empty() {
            writeln!(
                out,
                "<li class=\"warning\">{} of {} do not show every description whole: {}.</li>",
                cut.len(),
                counted(budgets.len(), "client"),
                cut.join(", ")
            )?;
        }
        let powers = || self.skills().filter_map(|skill| skill.powers.as_ref());
        if powers().next().is_some() {
            let able = powers().filter(|powers| !powers.is_empty()).count();
            let mut kinds = Vec::new();
            for kind in PowerKind::ALL {
                let has = |powers: &&Powers| powers.texts(kind).next().is_some();
                match powers().filter(has).count() {
                    0 => {}
                    count => kinds.push(format!("{} {}", kind.label(), grouped(count))),
                }
            }
            let colon = if kinds.is_empty() { "" } else { ": " };
            let (able, all, kinds) = (grouped(able), counted(all, "skill"), kinds.join(", "));
            writeln!(
                out,
                "<li>{able} of {all} name powers or limits{colon}{kinds}.</li>"
            )?;
        }
        writeln!(out, "</ul>\n</section>")
    }

    /// Writes a row for each rule: what can harm a person first, then the most serious and most frequent.
    fn findings(&self, out: &mut String) -> fmt::Result {
        let Some(findings) = self
            .findings
            .as_ref()
            .filter(|findings| !findings.is_empty())
        else {
            return Ok(());
        };
        let mut rules: BTreeMap<(Severity, &str), Vec<&Diagnostic>> = BTreeMap::new();
        for found in findings {
            rules
                .entry((found.severity, found.rule.as_str()))
                .or_default()
                .push(found);
        }
        let mut rows: Vec<_> = rules.into_iter().collect();
        rows.sort_by_key(|((severity, rule), found)| {
            (!harms(rule, *severity, ""), *severity, Reverse(found.len()))
        });
        start_table(out, "findings", "Findings", &["Rule", "What it found"])?;
        for ((severity, rule), found) in rows {
            let (class, count) = match severity {
                Severity::Error => ("error", counted(found.len(), "error")),
                Severity::Warning => ("warning", counted(found.len(), "warning")),
                Severity::Info => ("info", format!("{} advice", grouped(found.len()))),
            };
            let files: BTreeSet<&str> = found.iter().map(|found| found.path.as_str()).collect();
            writeln!(
                out,
                "<tr><th scope=\"row\"><code>{rule}</code> <span class=\"whole {class}\">{count}</span> <span class=\"whole\">in {}</span></th><td>",
                counted(files.len(), "file")
            )?;
            self.messages(out, &found)?;
            if let Some(arguments) = &self.arguments {
                let arguments = Escaped(arguments, MAX_TEXT);
                write!(
                    out,
                    "<p class=\"note\"><code>skills check --select {rule} {arguments}</code> shows the lines."
                )?;
                match found
                    .iter()
                    .filter(|found| found.fix.as_ref().is_some_and(|fix| fix.safe))
                    .count()
                {
                    0 => {}
                    safe => write!(
                        out,
                        " With <code class=\"whole\">--fix</code> it fixes {}.",
                        grouped(safe)
                    )?,
                }
                writeln!(out, "</p>")?;
            }
            writeln!(out, "</td></tr>")?;
        }
        end_table(out)
    }

    /// Writes the messages of a rule, each once, the most frequent first.
    fn messages(&self, out: &mut String, found: &[&Diagnostic]) -> fmt::Result {
        let mut same: BTreeMap<(&str, &str), Vec<&Diagnostic>> = BTreeMap::new();
        for found in found {
            same.entry((&found.message, &found.help))
                .or_default()
                .push(found);
        }
        let mut same: Vec<_> = same.into_iter().collect();
        same.sort_by_key(|(_, places)| Reverse(places.len()));
        let is_folded = same.len() > OPEN_MESSAGES;
        for (at, ((message, help), places)) in same.iter().take(MAX_MESSAGES).enumerate() {
            if at == OPEN_MESSAGES {
                let more = counted(same.len() - at, "more message");
                writeln!(out, "<details><summary>{more}</summary>")?;
            }
            write!(out, "<p>{}", Message(message))?;
            if places.len() > 1 {
                write!(out, " ({} times)", grouped(places.len()))?;
            }
            writeln!(out, "</p>")?;
            if !help.is_empty() {
                note(out, &format!("Help: {}", Message(help)))?;
            }
            let shown = places.iter().take(MAX_PLACES);
            let shown: Vec<String> = shown.map(|found| self.place(found)).collect();
            let more = match places.len().saturating_sub(MAX_PLACES) {
                0 => String::new(),
                more => format!(" and {}", counted(more, "more place")),
            };
            note(out, &format!("{}{more}", shown.join(", ")))?;
        }
        let more = same.len().saturating_sub(MAX_MESSAGES);
        if more > 0 {
            writeln!(out, "<p>{} not shown here.</p>", counted(more, "message"))?;
        }
        if is_folded {
            writeln!(out, "</details>")?;
        }
        Ok(())
    }

    /// Returns the place of a finding, relative to the folder of the page.
    fn place(&self, found: &Diagnostic) -> String {
        let path = Text(self.below(&found.path), MAX_TEXT);
        if (found.start, found.end) == (Position::START, Position::START) {
            path.to_string()
        } else {
            format!("{path}:{}", found.start.line)
        }
    }

    /// Returns a printed path relative to the folder of the page.
    fn below<'t>(&self, path: &'t str) -> &'t str {
        let Subject::Folder(folder) = &self.subject else {
            return path;
        };
        let rest = path.strip_prefix(folder.trim_end_matches('/'));
        let inside = rest.and_then(|rest| rest.strip_prefix('/'));
        inside.filter(|inside| !inside.is_empty()).unwrap_or(path)
    }

    /// Writes a row for each client: a bar for the longest list, and the skills that it cuts.
    fn budgets(&self, out: &mut String, budgets: &[Budget<'_>]) -> fmt::Result {
        if budgets.is_empty() {
            return Ok(());
        }
        let head = ["Client", "Names and descriptions", "What a model sees"];
        start_table(out, "budget", "Budget", &head)?;
        for budget in budgets {
            let most = budget.size.max(budget.limit).max(1);
            let own = budget.own * 100 / most;
            let room = budget.limit * 100 / most;
            let used = (budget.size * 100 / most).min(room).saturating_sub(own);
            write!(
                out,
                "<tr><th scope=\"row\">{}</th><td><div class=\"bar\" aria-hidden=\"true\"><i class=\"own\" style=\"width:{own}%\">\
                 </i><i style=\"width:{used}%\"></i>",
                budget.client
            )?;
            if budget.size > budget.limit {
                write!(
                    out,
                    "<i class=\"over\" style=\"width:{}%\"></i>",
                    100 - room
                )?;
            }
            write!(
                out,
                "</div><p class=\"note\">{} of {} {}",
                grouped(budget.size),
                grouped(budget.limit),
                budget.unit.as_str()
            )?;
            if budget.own > 0 {
                write!(
                    out,
                    ", {} of them for the skills that the client brings",
                    grouped(budget.own)
                )?;
            }
            if self.bundles.len() > 1 {
                write!(out, " in {}", Text(budget.bundle, MAX_NAME))?;
            }
            write!(out, "</p></td><td>")?;
            if budget.shows_all() {
                write!(out, "all {}", counted(budget.whole, "skill"))?;
            } else {
                write!(out, "{} whole", grouped(budget.whole))?;
                lost(out, &budget.gone, "left out")?;
                lost(out, &budget.bare, "by name alone")?;
                lost(out, &budget.shortened, "shortened")?;
            }
            writeln!(out, "</td></tr>")?;
        }
        writeln!(out, "</tbody>\n</table>")?;
        let unknown = "For a model whose context is unknown";
        match (self.context, &self.arguments) {
            (Some(tokens), _) => {
                let tokens = grouped(usize::try_from(tokens).unwrap_or(usize::MAX));
                note(
                    out,
                    &format!("For a model with a context of {tokens} tokens."),
                )?;
            }
            (None, Some(arguments)) => {
                let arguments = Escaped(arguments, MAX_TEXT);
                let command = format!("skills page --context 200k {arguments} > page.html");
                let shows = "shows the budgets for 200,000 tokens";
                note(out, &format!("{unknown}: <code>{command}</code> {shows}."))?;
            }
            (None, None) => note(out, &format!("{unknown}."))?,
        }
        if self.bundles.len() > 1 {
            let bar = "The bar shows the bundle with the longest list.";
            note(
                out,
                &format!("Each bundle has the whole budget to itself. {bar}"),
            )?;
        }
        let unlisted = |is_for_people_alone: bool| {
            let skills = self.skills().filter(|skill| !is_offered(skill));
            skills
                .filter(|it| it.is_for_people_alone == is_for_people_alone)
                .count()
        };
        for (count, why) in [
            (unlisted(true), "that only a person can start"),
            (unlisted(false), "without a readable description"),
        ] {
            if count > 0 {
                note(
                    out,
                    &format!("{} {why}: not in the list.", counted(count, "skill")),
                )?;
            }
        }
        writeln!(out, "</section>")
    }

    /// Writes a row for each skill, with its powers.
    fn powers(&self, out: &mut String) -> fmt::Result {
        let count = self.skills().count();
        writeln!(
            out,
            "<section id=\"powers\">\n<h2>Skills and their powers</h2>"
        )?;
        if count > OPEN_SKILLS {
            writeln!(
                out,
                "<details><summary>{}</summary>",
                counted(count, "skill")
            )?;
        }
        table_head(out, &["Skill", "What it may do"])?;
        let skills = self
            .bundles
            .iter()
            .flat_map(|bundle| bundle.skills.iter().map(move |skill| (bundle, skill)));
        for (bundle, skill) in skills.take(MAX_SKILLS) {
            write!(
                out,
                "<tr><th scope=\"row\"><strong>{}</strong>",
                Text(&skill.name, MAX_NAME)
            )?;
            if self.bundles.len() > 1 {
                write!(out, " in {}", Text(&bundle.name, MAX_NAME))?;
            }
            if skill.is_broken {
                write!(
                    out,
                    " <span class=\"error\">breaks the format: strict clients refuse it</span>"
                )?;
            }
            if skill.description.is_empty() {
                write!(out, "<p>no description</p>")?;
            } else {
                write!(out, "<p>{}</p>", Text(&skill.description, MAX_DESCRIPTION))?;
            }
            let path = skill
                .path
                .as_deref()
                .map(|path| Text(self.below(path), MAX_TEXT).to_string());
            let tokens = skill.tokens.map(|tokens| counted(tokens, "token"));
            let files = skill
                .files
                .map(|(count, size)| format!("{}, {}", counted(count, "file"), bytes(size)));
            let facts: Vec<String> = [path, tokens, files].into_iter().flatten().collect();
            if !facts.is_empty() {
                write!(out, "<p class=\"note\">{}</p>", facts.join(", "))?;
            }
            write!(out, "</th><td>")?;
            skill.powers(out)?;
            writeln!(out, "</td></tr>")?;
        }
        writeln!(out, "</tbody>\n</table>")?;
        if count > MAX_SKILLS {
            let more = counted(count - MAX_SKILLS, "more skill");
            note(out, &format!("{more} not shown."))?;
        }
        if count > OPEN_SKILLS {
            writeln!(out, "</details>")?;
        }
        writeln!(out, "</section>")
    }
}

impl PageSkill {
    fn powers(&self, out: &mut String) -> fmt::Result {
        let Some(powers) = &self.powers else {
            return out.write_str("not known");
        };
        if powers.is_empty() {
            return out.write_str("nothing found");
        }
        for kind in PowerKind::ALL {
            let texts: Vec<&str> = powers.texts(kind).collect();
            if texts.is_empty() {
                continue;
            }
            let shown = texts.iter().take(MAX_POWERS).map(|text| brief(text));
            let shown: Vec<String> = shown
                .map(|text| Text(&text, MAX_NAME).to_string())
                .collect();
            write!(out, "<p>{}: {}", kind.label(), shown.join(", "))?;
            if texts.len() > MAX_POWERS {
                write!(out, " and {} more", grouped(texts.len() - MAX_POWERS))?;
            }
            write!(out, "</p>")?;
        }
        Ok(())
    }
}

/// Shortens the digest at the end of a power, which would fill three lines: `scripts/a.py sha256:05adee0949c6…`.
fn brief(power: &str) -> Cow<'_, str> {
    const MARK: &str = " sha256:";
    const DIGITS: usize = 12;
    let end = power.rfind(MARK).map(|at| at + MARK.len() + DIGITS);
    match end.and_then(|end| power.split_at_checked(end)) {
        Some((shown, rest)) if !rest.is_empty() => format!("{shown}…").into(),
        _ => power.into(),
    }
}

fn note(out: &mut String, html: &str) -> fmt::Result {
    writeln!(out, "<p class=\"note\">{html}</p>")
}

/// Starts a section with a table.
fn start_table(out: &mut String, id: &str, title: &str, head: &[&str]) -> fmt::Result {
    writeln!(out, "<section id=\"{id}\">\n<h2>{title}</h2>")?;
    table_head(out, head)
}

fn table_head(out: &mut String, head: &[&str]) -> fmt::Result {
    write!(out, "<table>\n<thead><tr>")?;
    for title in head {
        write!(out, "<th scope=\"col\">{title}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")
}

fn end_table(out: &mut String) -> fmt::Result {
    writeln!(out, "</tbody>\n</table>\n</section>")
}

/// Writes the skills that a client cuts in one way.
fn lost(out: &mut String, skills: &[&str], how: &str) -> fmt::Result {
    if skills.is_empty() {
        return Ok(());
    }
    let names = skills.iter().take(MAX_LOST);
    let names: Vec<String> = names.map(|name| Text(name, MAX_NAME).to_string()).collect();
    write!(
        out,
        "<p>{} {how}: <span class=\"note\">{}",
        grouped(skills.len()),
        names.join(", ")
    )?;
    if skills.len() > MAX_LOST {
        write!(out, " and {} more", grouped(skills.len() - MAX_LOST))?;
    }
    write!(out, "</span></p>")
}

/// Formats a number with a comma between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a count with its noun: `1 skill`, `2,000 skills`.
fn counted(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{} {one}s", grouped(number)),
    }
}

/// Formats a number of bytes with a decimal unit.
fn bytes(size: u64) -> String {
    match size {
        1 => "1 byte".to_owned(),
        0..1000 => format!("{size} bytes"),
        1000..1_000_000 => format!("{}.{} kB", size / 1000, size % 1000 / 100),
        _ => format!("{}.{} MB", size / 1_000_000, size % 1_000_000 / 100_000),
    }
}
