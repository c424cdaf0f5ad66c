//! Finds the asked clients that lose a skill, by their own readers, and the parts of the file that are the reason.

use crate::client::{Behaviour, Client, Condition, DropReason, Reading, Reads, SkillText};
use crate::view::form::Form;
use crate::view::loss::{Lost, MISREAD, Part};
use crate::view::search::holds;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Edit;
use skills_format::name::SkillName;
use skills_format::tree::join;
use skills_format::yaml::node::{Node, Scalar, Style, Value};

impl<'a> SkillView<'a> {
    /// Returns the clients that mind a form of the file.
    pub(in crate::rules) fn mind(&self, number: usize, form: &Form) -> Vec<Behaviour<'a>> {
        self.mind_part(Part::Form(number), Condition::of_form(form.kind))
    }

    /// Returns the clients that mind a part: those whose reader loses the skill for it, and those without a known reader
    /// that have a fact about it.
    pub(in crate::rules) fn mind_part(
        &self,
        part: Part,
        condition: Condition,
    ) -> Vec<Behaviour<'a>> {
        let lost = self.losses().iter();
        let lost = lost.filter(|lost| lost.causes.contains(&part));
        let mut all: Vec<Behaviour<'a>> = lost.map(|lost| lost.behaviour(condition)).collect();
        let facts = self.on(condition).into_iter();
        all.extend(facts.filter(|one| one.client.reads.is_none()));
        all
    }

    /// Returns the asked clients that lose the skill.
    pub(in crate::rules) fn losses(&self) -> &[Lost<'a>] {
        self.losses.get_or_init(|| self.find_losses())
    }

    /// Finds the clients that lose the skill. A file that is not a skill has its findings from other rules.
    fn find_losses(&self) -> Vec<Lost<'a>> {
        let readers = self.behaviours().readers();
        if readers.is_empty() || !self.is_sound_skill() || self.is_read_alike() {
            return Vec::new();
        }
        let file = self.skill_text();
        let described = self.text_field("description").map(|(_, text)| text);
        let described = described.unwrap_or_default();
        let lost = readers.iter().filter_map(|(client, reads)| {
            let drop = loss(reads, file, described)?;
            let fact = if drop == MISREAD {
                &reads.misread
            } else {
                &reads.dropped
            };
            Some(Lost {
                client,
                fact,
                drop,
                causes: self.causes(reads, file, described),
            })
        });
        lost.collect()
    }

    /// Returns whether every reader takes a sound file as it is written, because it has none of the forms in which readers
    /// differ. Most skills are such, and four readers cost more than all other rules together.
    fn is_read_alike(&self) -> bool {
        let Some(document) = self.document() else {
            return false;
        };
        let yaml = document.yaml.of(self.text());
        // An escape can be half a character, and `<<` is a merge key.
        let is_odd =
            |byte: u8| byte.is_ascii_control() && byte != b'\n' || matches!(byte, b'\\' | b'<');
        // A mark that ends the front matter of Claude Code, and a key that Codex reads.
        let odd = ["---", "short-description"];
        document.forms.is_empty()
            // Claude Code reads no larger file.
            && self.text().len() <= 1_000_000
            && !yaml.bytes().any(is_odd)
            && !odd.iter().any(|odd| holds(yaml, odd))
            && ["name", "description"].iter().all(|key| {
                let scalar = self.field(key).map(|(_, node)| &node.value);
                matches!(scalar, Some(Value::Scalar(scalar)) if is_text_everywhere(scalar))
            })
    }

    /// Returns what a client makes of the skill. Returns `None` if its reader is not known.
    pub(in crate::rules) fn reading_in(&self, client: &Client) -> Option<Reading> {
        Some((client.reads?.read)(&self.skill_text()))
    }

    fn skill_text(&self) -> SkillText<'_> {
        let policy = join(self.skill.dir, "agents/openai.yaml");
        let policy = self.skill.files.iter().find(|file| file.path == policy);
        SkillText {
            folder: &self.skill.file.folder,
            text: self.text(),
            policy: policy.and_then(|file| std::str::from_utf8(file.bytes.as_deref()?).ok()),
        }
    }

    fn is_sound_skill(&self) -> bool {
        let is_parsed = matches!(self.skill.file.front_matter, Some(Ok(_)));
        // `field-type` reports metadata that is not a mapping.
        let metadata = self.field("metadata").map(|(_, node)| node.kind());
        let is_name = |(_, name): (&Node, &str)| SkillName::new(name).is_ok();
        is_parsed
            && metadata.is_none_or(|kind| matches!(kind, "a mapping" | "empty"))
            && self.text_field("description").is_some()
            && self.text_field("name").is_some_and(is_name)
            && !self.fields().is_some_and(has_repeats)
    }

    /// Returns the parts that are the reason why a client loses the skill.
    fn causes(&self, reads: &Reads, file: SkillText<'_>, described: &str) -> Vec<Part> {
        let parts = self.parts();
        let is_lost_without = |skipped: Option<Part>| {
            let edits = parts.iter().filter(|(part, _)| Some(*part) != skipped);
            let edits: Vec<Edit> = edits.flat_map(|(_, edits)| edits).cloned().collect();
            let text = Edit::apply(file.text, &edits);
            let mut changed = file;
            changed.text = &text;
            loss(reads, changed, described).is_some()
        };
        if parts.is_empty() || is_lost_without(None) {
            return Vec::new();
        }
        let parts = parts.iter().map(|(part, _)| *part);
        parts.filter(|part| is_lost_without(Some(*part))).collect()
    }

    /// Returns the parts of the file that can be written in another way, with the edits.
    fn parts(&self) -> Vec<(Part, Vec<Edit>)> {
        let forms = self.forms().iter().enumerate();
        let mut parts: Vec<(Part, Vec<Edit>)> = forms
            .map(|(number, form)| (Part::Form(number), form.edits.clone()))
            .collect();
        for key in ["name", "description"] {
            if let Some((_, node)) = self.field(key)
                && let Value::Scalar(scalar) = &node.value
                && scalar.style == Style::Plain
                && !scalar.text.contains(['"', '\\', '\n'])
            {
                let quoted = format!("\"{}\"", scalar.text);
                parts.push((Part::Field(key), vec![Edit::replace(node.span, quoted)]));
            }
        }
        parts
    }
}

/// Returns the reason why a client loses a skill. Returns `None` if nothing is lost.
fn loss(reads: &Reads, file: SkillText<'_>, described: &str) -> Option<DropReason> {
    match (reads.read)(&file) {
        Reading::Dropped(drop) => Some(drop),
        // Clients write white space and control characters otherwise, and a single word can be a number, which Claude
        // Code writes otherwise too.
        Reading::Listed(description) if described.contains(' ') => {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect();
            let (read, written): (String, String) = (letters(&description), letters(described));
            (read != written).then_some(MISREAD)
        }
        Reading::Listed(_) | Reading::Closed => None,
    }
}

/// Returns whether no version of YAML reads another value than a text that is not blank.
fn is_text_everywhere(scalar: &Scalar) -> bool {
    let is_word = ["null", "true", "false"]
        .iter()
        .any(|it| scalar.text.eq_ignore_ascii_case(it));
    match scalar.style {
        Style::Plain => scalar.text.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_word,
        _ => !scalar.text.trim().is_empty(),
    }
}

/// Returns whether a mapping at any depth has a key twice: readers differ in which of them counts.
pub fn has_repeats(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(_) => false,
        Value::Sequence(items) => items.iter().any(has_repeats),
        Value::Mapping(entries) => {
            let mut keys: Vec<Option<&str>> = entries.iter().map(|(key, _)| key.as_str()).collect();
            keys.sort_unstable();
            keys.windows(2).any(|pair| pair.first() == pair.last())
                || entries.iter().any(|(_, value)| has_repeats(value))
        }
    }
}
