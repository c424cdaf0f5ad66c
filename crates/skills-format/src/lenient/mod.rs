//! Lenient reading: reads a skill from every file in which a name and a description can be found.

pub mod recover;
pub(crate) mod salvage;

use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::mention::mask::blocks::{Block, blocks};
use crate::name::{MissingName, SkillName, in_yaml, nfc};
use crate::skill::document::{Document, NoFrontMatter};
use crate::skill::file::{Skill, SkillFile};
use crate::skill::limits::{MAX_DESCRIPTION, MAX_FRONT_MATTER, MAX_SKILL_FILE};
use crate::skill::parsed::{self, Name};
use crate::skill::restraint;
use crate::text::span::Span;
use crate::yaml;
use crate::yaml::node::{Node, Value, merged};
use std::borrow::Cow;

// A file without front matter is not a skill, in the strict and in the lenient reading. The file is reported and
// not loaded. The exception is a layout that is `named_by_heading`, which loads a file with a heading and a
// paragraph.
//
// The word "recover" is used only for front matter that does not parse (`lenient/recover`). "Fix" is used only for
// edits that a check offers.

/// What lenient reading makes of a file that is not as the specification wants it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LenientOptions {
    /// The place from which a missing name is taken.
    pub missing_name: MissingName,
    /// `true` if a file without a name or a description, or whose front matter has to be recovered, is not a skill. A name
    /// that is not valid is corrected all the same.
    pub skips_malformed: bool,
}

impl SkillFile<'_> {
    /// Reads the skill leniently, and reports every fault.
    ///
    /// Returns no skill if the file is too large, is not UTF-8, has no front matter, or has no name or
    /// no description that can be found. The last finding is then an error.
    ///
    /// An invalid name is turned into a valid name, a missing name is taken from the folder, and a
    /// missing description from the first paragraph of the body. YAML that does not parse is read key
    /// by key.
    pub fn lenient(&self) -> (Option<Skill>, Vec<Diagnostic>) {
        self.lenient_with(LenientOptions::default())
    }

    /// Reads the skill as [`SkillFile::lenient`] does, with other options. The finding about a malformed file that is skipped
    /// is a warning.
    pub fn lenient_with(&self, options: LenientOptions) -> (Option<Skill>, Vec<Diagnostic>) {
        let mut reading = Lenient {
            file: self,
            options,
            malformed: None,
            diagnostics: Vec::new(),
        };
        let mut skill = reading.skill();
        if options.skips_malformed
            && skill.is_some()
            && let Some((index, fact)) = reading.malformed
        {
            skill = None;
            reading.diagnostics[index].message = format!("{fact}; {SKIPPED}").into();
        }
        (skill, reading.diagnostics)
    }
}

const SKIPPED: &str = "the skill is skipped";

/// The help for a missing description.
const DESCRIPTION: &str = "write what the skill does and when to use it";

struct Lenient<'a, 't> {
    file: &'a SkillFile<'t>,
    options: LenientOptions,
    /// The first finding about the form of the file: its index, and the fact without what was made of it.
    malformed: Option<(usize, String)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a, 't> Lenient<'a, 't> {
    fn skill(&mut self) -> Option<Skill> {
        let text = self.text()?;
        let mut document = self.document(text)?;
        let front_matter = self.front_matter(&document)?;
        let (name, display_name) = self.name(&front_matter, &document)?;
        let description = self.description(&front_matter, &document)?;
        if self.file.is_listed {
            document.body = Span::at(document.body.end);
        }
        let mut skill = Skill::new(name, &description, &front_matter, &document);
        skill.fields.display_name = display_name.map(Into::into);
        let openai = self.file.openai.as_ref();
        for found in restraint::restrain(&front_matter, openai, &mut skill.fields) {
            let help = "`skills check` says how clients read it";
            self.warning(found.rule, found.span, &found.message, help);
        }
        // Front matter that had to be found or recovered may say something else than its author meant.
        // Few skills approve: the text of the others is not searched.
        skill.fields.may_approve = skill.fields.may_approve
            && matches!(self.file.front_matter, Some(Ok(_)))
            && document.is_exact();
        let fault = openai.and_then(|file| file.fault.as_deref());
        let fault = fault.map(|fault| fault.diagnostic.clone());
        self.diagnostics.extend(fault);
        Some(skill)
    }

    fn text(&mut self) -> Option<&'t str> {
        let size = self.file.bytes.len();
        if size as u64 > MAX_SKILL_FILE {
            let message = format!("the file has {size} bytes; the maximum is {MAX_SKILL_FILE}");
            let help = "move most of it to separate files, and link them";
            self.error(RuleId::TooLarge, Span::at(0), &message, help);
            return None;
        }
        match self.file.text {
            Ok(text) => Some(text),
            Err(at) => {
                let message = "the file is not UTF-8";
                self.error(
                    RuleId::NotUtf8,
                    Span::new(at, at + 1),
                    message,
                    "save the file as UTF-8",
                );
                None
            }
        }
    }

    /// Returns the parts of the file. If the file does not begin with front matter, returns the parts
    /// that were probably meant.
    fn document(&mut self, text: &'t str) -> Option<Document<'t>> {
        let missing = match self.file.document.as_ref()? {
            Ok(document) => return Some(document.clone()),
            Err(missing) => *missing,
        };
        let (rule, span, fact, help) = match missing {
            NoFrontMatter::Missing(span) => (
                RuleId::FrontmatterMissing,
                span,
                "the file does not begin with front matter",
                "write `---`, `name: …`, `description: …` and `---` above it",
            ),
            NoFrontMatter::Unterminated(span) => (
                RuleId::FrontmatterUnterminated,
                span,
                "no line `---` closes the front matter",
                "write `---` on a line of its own after the last field",
            ),
        };
        if let Some(document) = salvage::document(text) {
            let made = "text that looks like fields is used instead";
            self.malformed(rule, span, fact, made, help);
            return Some(document);
        }
        let whole = salvage::without_front_matter(text);
        if matches!(missing, NoFrontMatter::Missing(_)) && self.heading(&whole).is_some() {
            let made = "text with a heading is used instead";
            self.malformed(rule, span, fact, made, help);
            return Some(whole);
        }
        self.error(rule, span, fact, help);
        None
    }

    fn front_matter(&mut self, document: &Document<'_>) -> Option<Cow<'a, Node>> {
        let length = document.yaml.len();
        if length > MAX_FRONT_MATTER {
            let message =
                format!("the front matter has {length} bytes; the maximum is {MAX_FRONT_MATTER}");
            let help = "move what is not a field to the body";
            self.error(
                RuleId::TooLarge,
                Span::at(document.yaml.start),
                &message,
                help,
            );
            return None;
        }
        let parsed = match &self.file.front_matter {
            Some(Ok(node)) => Some(Cow::Borrowed(node)),
            Some(Err(_)) => None,
            // Salvaged front matter, which `SkillFile::read` did not find and parse.
            None => yaml::parse_at(document.yaml.of(document.text), document.yaml.start)
                .ok()
                .map(|node| node.unwrap_or_else(|| Node::empty_mapping(document.yaml.start)))
                .map(|node| Cow::Owned(merged(node))),
        };
        // Lines `name:x` without a space after the colon are one text in YAML.
        let joined = parsed
            .as_deref()
            .and_then(|node| recover::joined(document, node));
        let Some(node) = parsed.filter(|_| joined.is_none()) else {
            let recovered =
                joined.unwrap_or_else(|| recover::front_matter(document.text, document.yaml));
            for fault in &recovered.faults {
                let made = "parsed as probably intended";
                self.malformed(
                    RuleId::YamlSyntax,
                    fault.span,
                    &fault.message,
                    made,
                    fault.help,
                );
            }
            return Some(Cow::Owned(merged(recovered.node)));
        };
        if !matches!(node.value, Value::Mapping(_)) {
            let message = format!(
                "the front matter is {}, not `key: value` lines",
                node.kind()
            );
            let help = "write `name: …` and `description: …`";
            self.malformed(RuleId::YamlSyntax, node.span, &message, "", help);
        }
        Some(node)
    }

    /// Returns the first heading and its valid name, if a missing name is taken from the heading.
    fn heading(&self, document: &Document<'_>) -> Option<(SkillName, String)> {
        if self.options.missing_name != MissingName::Heading {
            return None;
        }
        let heading = first_heading(&document.body())?;
        Some((SkillName::make(&heading)?, heading))
    }

    fn name(
        &mut self,
        front_matter: &Node,
        document: &Document<'_>,
    ) -> Option<(SkillName, Option<String>)> {
        let folder = &self.file.folder;
        let (node, text, error) = match parsed::name(front_matter) {
            Name::Missing(node) => {
                let place = node.map_or(Span::at(front_matter.span.start), |node| node.span);
                return self.missing_name(place, document);
            }
            Name::Valid(node, name) => {
                self.compare_with_folder(node, &name);
                return Some((name, None));
            }
            Name::Invalid(node, text, error) => (node, text, error),
        };
        let Some(name) = SkillName::make(text).or_else(|| SkillName::make(folder)) else {
            let message = format!("`{text}` is not a valid name: {error}");
            let help = "write lowercase letters, digits and single hyphens";
            self.error(RuleId::NameForm, node.span, &message, help);
            return None;
        };
        let message =
            format!("`{text}` is not a valid name: {error}; the skill answers to `{name}`");
        self.warning(
            RuleId::NameForm,
            node.span,
            &message,
            &format!("write `{}`", in_yaml(name.as_str())),
        );
        Some((name, Some(text.to_owned())))
    }

    /// The name of a file that has none.
    fn missing_name(
        &mut self,
        place: Span,
        document: &Document<'_>,
    ) -> Option<(SkillName, Option<String>)> {
        if let Some((name, heading)) = self.heading(document) {
            let made = format!("taken from the first heading: `{name}`");
            let help = format!("write `name: {}`", in_yaml(name.as_str()));
            self.malformed(RuleId::NameMissing, place, "no name", &made, &help);
            let display_name = (heading != name.as_str()).then_some(heading);
            return Some((name, display_name));
        }
        let Some(name) = SkillName::make(&self.file.folder) else {
            let message = "no name, and the folder's name is not valid either";
            let help = "write `name: ` and the folder's name";
            self.error(RuleId::NameMissing, place, message, help);
            return None;
        };
        let made = format!("taken from the folder: `{name}`");
        let help = format!("write `name: {}`", in_yaml(name.as_str()));
        self.malformed(RuleId::NameMissing, place, "no name", &made, &help);
        Some((name, None))
    }

    fn compare_with_folder(&mut self, node: &Node, name: &SkillName) {
        let folder = &self.file.folder;
        // macOS can store the name of a folder in another normal form than the file spells it.
        if nfc(name.as_str()) == nfc(folder) {
            return;
        }
        let message = format!("the skill is named `{name}`, its folder `{folder}`");
        let help = match SkillName::new(folder) {
            Ok(folder) => format!("write `{}`, or rename the folder", in_yaml(folder.as_str())),
            Err(_) => "rename the folder: its name is not a valid skill name".to_owned(),
        };
        self.warning(RuleId::NameMismatch, node.span, &message, &help);
    }

    fn description<'n>(
        &mut self,
        front_matter: &'n Node,
        document: &Document<'_>,
    ) -> Option<Cow<'n, str>> {
        if let Some((node, text)) = parsed::description(front_matter) {
            let length = text.chars().count();
            if length > MAX_DESCRIPTION {
                let message = format!(
                    "the description has {length} characters; the maximum is {MAX_DESCRIPTION}"
                );
                let over = length - MAX_DESCRIPTION;
                let help = format!("shorten it by {over}; details belong in the body");
                self.warning(RuleId::DescriptionLength, node.span, &message, &help);
            }
            return Some(Cow::Borrowed(text));
        }
        let written = front_matter.get("description");
        let written = written.filter(|node| !node.is_null());
        let place = written.map_or(Span::at(front_matter.span.start), |node| node.span);
        let paragraph = first_paragraph(&document.body());
        match &paragraph {
            Some(_) => self.malformed(
                RuleId::DescriptionMissing,
                place,
                "no description",
                "taken from the body's first paragraph",
                DESCRIPTION,
            ),
            None => self.error(
                RuleId::DescriptionMissing,
                place,
                "no description, and no paragraph in the body",
                DESCRIPTION,
            ),
        }
        paragraph.map(Cow::Owned)
    }

    /// Reports a fault in the form of the file, and what was made of it.
    fn malformed(&mut self, rule: RuleId, span: Span, fact: &str, made: &str, help: &str) {
        let index = self.diagnostics.len();
        self.malformed
            .get_or_insert_with(|| (index, fact.to_owned()));
        let message = if made.is_empty() {
            fact.to_owned()
        } else {
            format!("{fact}; {made}")
        };
        self.warning(rule, span, &message, help);
    }

    fn warning(&mut self, rule: RuleId, span: Span, message: &str, help: &str) {
        self.tell(rule, Severity::Warning, span, message, help);
    }

    /// Reports the fault that prevents the skill from being read.
    fn error(&mut self, rule: RuleId, span: Span, message: &str, help: &str) {
        let message = format!("{message}; {SKIPPED}");
        self.tell(rule, Severity::Error, span, &message, help);
    }

    fn tell(&mut self, rule: RuleId, severity: Severity, span: Span, message: &str, help: &str) {
        let finding = self.file.diagnostic(rule, severity, span, message);
        self.diagnostics.push(finding.help(help));
    }
}

/// Returns the first paragraph of a Markdown text as one line, cut at the length of a description. Headings, code and items
/// of lists are not paragraphs.
fn first_paragraph(body: &str) -> Option<String> {
    let blocks = blocks(body, 0, usize::MAX).1.into_iter();
    let mut texts = blocks
        .filter(|(block, _)| *block == Block::Paragraph { in_list: false })
        .map(|(_, range)| plain(&body[range]));
    let text = texts.find(|text| !text.is_empty())?;
    Some(text.chars().take(MAX_DESCRIPTION).collect())
}

/// Returns the first `# Heading` of a Markdown text as one line. Headings of lower levels do not count.
fn first_heading(body: &str) -> Option<String> {
    let mut blocks = blocks(body, 0, usize::MAX).1.into_iter();
    let (_, range) = blocks.find(|(block, _)| *block == Block::Heading { level: 1 })?;
    let text = plain(&body[range]);
    let is_mark = |c: char| matches!(c, '#' | ' ');
    let end = text.trim_end_matches('#');
    let text = if end.ends_with(' ') {
        end.trim_end_matches(is_mark)
    } else {
        &text
    };
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the text of a paragraph or heading on one line, without the addresses of links, and marks of quotation, emphasis
/// and code.
fn plain(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches(['>', ' ', '\t']));
    let text = lines.collect::<Vec<_>>().join("\n").replace("![", "[");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((label, after)) = rest.split_once("](") {
        let (before, label) = label.rsplit_once('[').unwrap_or(("", label));
        plain.push_str(before);
        plain.push_str(label);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.retain(|c| !matches!(c, '*' | '`'));
    let words = plain.split_ascii_whitespace();
    let words: Vec<&str> = words.map(|word| word.trim_matches('_')).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_and_a_heading_are_plain_text() {
        for (body, heading, paragraph) in [
            (
                "# The *name* #\n\nA **bold** _text_ of snake_case.\nMore.",
                "The name",
                "A bold text of snake_case. More.",
            ),
            (
                "- item\n\n> a [link with `code`](b \"c\") and ![an image](d)",
                "",
                "a link with code and an image",
            ),
            (
                "Title\n===\n\n```\ncode\n```\nIt [is](a) [what](b) it is",
                "Title",
                "It is what it is",
            ),
            ("## Second\n\n    code\n", "", ""),
        ] {
            assert_eq!(first_heading(body).unwrap_or_default(), heading, "{body}");
            assert_eq!(
                first_paragraph(body).unwrap_or_default(),
                paragraph,
                "{body}"
            );
        }
    }

    /// Reads a file in the folder `tidy`. Returns the name, the name as it is written and the description, and each finding
    /// with its place.
    fn read_all(text: &[u8], missing_name: MissingName) -> (String, Vec<String>) {
        let options = LenientOptions {
            missing_name,
            ..LenientOptions::default()
        };
        let (skill, findings) = SkillFile::read("SKILL.md", "tidy", text).lenient_with(options);
        let skill = skill.map_or_else(String::new, |skill| {
            let written = skill.fields.display_name.unwrap_or_default();
            format!("{}, {written}, {}", skill.name, skill.description)
        });
        let findings = findings.iter().map(|it| {
            let (Span { start, end }, rule) = (it.span(), it.rule);
            format!("{start}..{end} {rule}: {}", it.message)
        });
        (skill, findings.collect())
    }

    #[test]
    fn each_fault_of_the_form_has_its_place() {
        let (folder, heading) = (MissingName::Folder, MissingName::Heading);
        let no_front_matter = "0..6 frontmatter-missing: the file does not begin with front matter";
        let skipped = format!("{no_front_matter}; the skill is skipped");
        let with_heading = format!("{no_front_matter}; text with a heading is used instead");
        let from_heading = "0..0 name-missing: no name; taken from the first heading: `tool`";
        let paragraph =
            "0..0 description-missing: no description; taken from the body's first paragraph";
        let unclosed = "0..3 frontmatter-unterminated: no line `---` closes the front matter; the skill is skipped";
        for (text, missing_name, skill, findings) in [
            (
                &b"x\xFF"[..],
                folder,
                "",
                &["1..2 not-utf8: the file is not UTF-8; the skill is skipped"][..],
            ),
            (b"# Tool\n\nDoes it.\n", folder, "", &[&skipped]),
            (
                b"# Tool\n\nDoes it.\n",
                heading,
                "tool, Tool, Does it.",
                &[&with_heading, from_heading, paragraph],
            ),
            (
                b"# tool\n\nDoes it.\n",
                heading,
                "tool, , Does it.",
                &[&with_heading, from_heading, paragraph],
            ),
            (b"---\n\n# Tool\n\nDoes it.\n", heading, "", &[unclosed]),
            (b"No: go", heading, "", &[&skipped]),
            (
                b"---\nname: other\ndescription: Does it.\n---\n",
                folder,
                "other, , Does it.",
                &["10..15 name-mismatch: the skill is named `other`, its folder `tidy`"],
            ),
            (
                b"---\nname: tidy\ndescription: [a]\n---\nDoes it.\n",
                folder,
                "tidy, , Does it.",
                &[&paragraph.replace("0..0", "28..31")],
            ),
            (
                b"---\nname: tidy\ndescription:\n---\nDoes it.\n",
                folder,
                "tidy, , Does it.",
                &[&paragraph.replace("0..0", "4..4")],
            ),
        ] {
            let (read, found) = read_all(text, missing_name);
            let text = String::from_utf8_lossy(text);
            assert_eq!(
                (read.as_str(), found),
                (skill, findings.iter().map(ToString::to_string).collect()),
                "{text}"
            );
        }
    }

    #[test]
    fn the_largest_size_is_read() {
        let file = |description: usize, front_matter: usize, file: usize| {
            let fields = format!("name: tidy\ndescription: {}\n", "d".repeat(description));
            let comment = "#".repeat(front_matter.saturating_sub(fields.len() + 1));
            let text = format!("---\n{fields}{comment}\n---\nGo.");
            let rest = "o".repeat(file.saturating_sub(text.len()));
            let (skill, findings) =
                read_all(format!("{text}{rest}").as_bytes(), MissingName::Folder);
            (!skill.is_empty(), findings.join(" "))
        };
        let largest = usize::try_from(MAX_SKILL_FILE).unwrap_or_default();
        let all = (MAX_DESCRIPTION, MAX_FRONT_MATTER, largest);
        assert_eq!(file(all.0, all.1, all.2), (true, String::new()));
        for (read, found) in [
            (
                file(all.0 + 1, all.1, all.2),
                (
                    true,
                    "28..1053 description-length: the description has 1025 characters; the maximum is 1024",
                ),
            ),
            (
                file(all.0, all.1 + 1, all.2),
                (
                    false,
                    "4..4 too-large: the front matter has 65537 bytes; the maximum is 65536; the skill is skipped",
                ),
            ),
            (
                file(all.0, all.1, all.2 + 1),
                (
                    false,
                    "0..0 too-large: the file has 1048577 bytes; the maximum is 1048576; the skill is skipped",
                ),
            ),
        ] {
            assert_eq!((read.0, read.1.as_str()), found);
        }
        let text = format!("---\nname: tidy\ndescription: {}\n---\n", "d".repeat(1030));
        let findings = SkillFile::read("SKILL.md", "tidy", text.as_bytes())
            .lenient()
            .1;
        assert_eq!(
            &*findings[0].help,
            "shorten it by 6; details belong in the body"
        );
    }

    #[test]
    fn a_malformed_file_is_skipped_and_a_name_is_corrected() {
        let options = LenientOptions {
            skips_malformed: true,
            ..LenientOptions::default()
        };
        let read = |front_matter: &str| {
            let text = format!("---\n{front_matter}\n---\nDo it.\n");
            let file = SkillFile::read("SKILL.md", "tidy", text.as_bytes());
            assert!(file.lenient().0.is_some(), "{front_matter}");
            let (skill, findings) = file.lenient_with(options);
            let messages: Vec<String> = findings.iter().map(|it| it.message.to_string()).collect();
            (skill.is_some(), messages)
        };
        assert!(read("name: My_Tool\ndescription: Does it.").0);
        for malformed in [
            "description: Does it.",
            "name: tidy",
            "name: tidy\ndescription: 'a; b' and: more",
        ] {
            let (is_read, messages) = read(malformed);
            let first = messages.first().expect("a finding");
            assert!(
                !is_read && first.ends_with("; the skill is skipped"),
                "{messages:?}"
            );
        }
    }
}
