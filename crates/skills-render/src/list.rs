//! The list of skills for a model, within its budget.

use crate::escape::push_xml;
use skills_format::text::shorten::{cut_known, one_line};
use skills_format::{MAX_DESCRIPTION, estimate_quarter_tokens, estimate_tokens};
use std::borrow::Cow;

/// The text, and the skills that did not fit into the budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct List {
    /// The text. Empty if there is no skill, or if no skill fits into the budget.
    pub text: String,
    /// The ids of the skills whose descriptions were shortened, in the order of the items.
    pub shortened: Vec<String>,
    /// The ids of the skills that are not in the text, in the order of the items.
    pub omitted: Vec<String>,
    /// The size of the text in estimated tokens.
    pub tokens: usize,
}

impl ListText<'_> {
    /// Writes the skills.
    ///
    /// A description over 1,024 characters is always shortened to that length. If the text exceeds the budget,
    /// descriptions are shortened first, all to the same length, at the ends of words. Then skills are omitted, from the
    /// last up, and the text ends with their number.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn list<'c>(&self, skills: impl IntoIterator<Item = Item<'c>>) -> List {
        let items: Vec<Item<'_>> = skills.into_iter().collect();
        let form = Form::new(self);
        let (shown, length) = fit(&form, &items);
        let (shown, omitted) = items.split_at(shown);
        let cut = shown.iter().filter(|item| item.cut(length).is_some());
        let text = match shown {
            [] => String::new(),
            shown => form.write(shown, length, omitted.len()),
        };
        List {
            tokens: estimate_tokens(&text),
            text,
            shortened: cut.map(|item| item.id.to_string()).collect(),
            omitted: omitted.iter().map(|item| item.id.to_string()).collect(),
        }
    }
}

// A text that omits skills ends with a line that counts them. In XML this line is a comment after the
// root, so that a parser still reads the text.

/// The form of the list: the text around the skills, the text of each skill, and the budget. A description is one line, and
/// cannot end its own entry or begin another entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListText<'a> {
    /// The maximum cost of the text.
    pub budget: Budget,
    /// The first line. Empty: no line.
    pub heading: &'a str,
    /// The text between the heading and the skills. Empty: no text.
    pub intro: &'a str,
    /// A skill: a text with `{name}`, `{description}` and perhaps `{location}`, in this order.
    pub skill: &'a str,
    /// True: the skills are the elements of `<available_skills>`, and their values are escaped.
    pub is_xml: bool,
}

impl Default for ListText<'_> {
    /// Elements of XML within 8,000 characters, without a heading and an intro.
    fn default() -> Self {
        Self {
            budget: Budget::Characters(8_000),
            heading: "",
            intro: "",
            skill: "<skill>\n<name>{name}</name>\n<description>{description}</description>\n\
                    <location>{location}</location>\n</skill>",
            is_xml: true,
        }
    }
}

/// The maximum cost of a list. The heading, the intro and the tags count too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Budget {
    /// A maximum number of characters (Unicode scalar values).
    Characters(usize),
    /// A maximum number of estimated tokens.
    Tokens(usize),
    /// No limit.
    Unlimited,
}

/// One skill of the list.
#[derive(Clone, Debug)]
pub struct Item<'c> {
    id: Cow<'c, str>,
    /// As one line.
    description: Cow<'c, str>,
    location: String,
    is_ascii: bool,
}

impl<'c> Item<'c> {
    /// Makes the item of a skill. `location` must not hold a line end.
    pub fn new(id: Cow<'c, str>, description: &'c str, location: String) -> Self {
        let description = one_line(description);
        Self {
            id,
            is_ascii: description.is_ascii(),
            description,
            location,
        }
    }

    /// Returns the number of bytes that a limit of `length` characters leaves of the description.
    /// Returns `None` if the description is not cut.
    fn cut(&self, length: usize) -> Option<usize> {
        if self.description.len() <= length {
            return None;
        }
        cut_known(&self.description, length, self.is_ascii)
    }

    /// Returns the approximate size in bytes.
    fn size(&self, length: usize) -> usize {
        let most = length.saturating_mul(4);
        self.id.len() + self.description.len().min(most) + self.location.len() + 128
    }
}

/// A form whose text of a skill is split.
struct Form<'a> {
    text: &'a ListText<'a>,
    /// What stands before the name, the description and the location, and at the end.
    parts: [&'a str; 4],
    has_location: bool,
}

impl<'a> Form<'a> {
    fn new(text: &'a ListText<'a>) -> Self {
        let (before, rest) = text.skill.split_once("{name}").unwrap_or_default();
        let (after_name, rest) = rest.split_once("{description}").unwrap_or((rest, ""));
        let location = rest.split_once("{location}");
        let (after_description, end) = location.unwrap_or((rest, ""));
        Self {
            text,
            parts: [before, after_name, after_description, end],
            has_location: location.is_some(),
        }
    }

    fn write(&self, items: &[Item<'_>], length: usize, left_out: usize) -> String {
        let mut text = String::with_capacity(items.iter().map(|item| item.size(length)).sum());
        self.open(&mut text);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            self.before_description(&mut text, item);
            match item.cut(length) {
                None => self.push(&mut text, &item.description),
                Some(end) => {
                    self.push(&mut text, &item.description[..end]);
                    text.push('…');
                }
            }
            self.after_description(&mut text, item);
        }
        self.close(&mut text, left_out);
        text
    }

    fn push(&self, out: &mut String, value: &str) {
        if self.text.is_xml {
            push_xml(out, value);
        } else {
            out.push_str(value);
        }
    }

    /// Writes the text before the first skill.
    fn open(&self, out: &mut String) {
        for part in [self.text.heading, self.text.intro] {
            if !part.is_empty() {
                out.push_str(part);
                out.push_str("\n\n");
            }
        }
        if self.text.is_xml {
            out.push_str("<available_skills>\n");
        }
    }

    fn before_description(&self, out: &mut String, item: &Item<'_>) {
        out.push_str(self.parts[0]);
        self.push(out, &item.id);
        out.push_str(self.parts[1]);
    }

    fn after_description(&self, out: &mut String, item: &Item<'_>) {
        out.push_str(self.parts[2]);
        if self.has_location {
            self.push(out, &item.location);
            out.push_str(self.parts[3]);
        }
    }

    /// Writes the text after the last skill, with the number of omitted skills.
    fn close(&self, out: &mut String, left_out: usize) {
        if self.text.is_xml {
            out.push_str("\n</available_skills>");
        }
        let note = match left_out {
            0 => return,
            1 => "1 more skill is not shown; list_skills shows it.".to_owned(),
            n => format!("{n} more skills are not shown; list_skills shows them."),
        };
        let (before, after) = if self.text.is_xml {
            ("\n<!-- ", " -->")
        } else {
            ("\n\n", "")
        };
        for part in [before, &note, after] {
            out.push_str(part);
        }
    }
}

/// The minimum number of characters of a shortened description. If the text is still too long, skills
/// are left out.
pub const SHORTEST: usize = 32;

/// The unit of a cost. Tokens are counted in quarters, because the rounded tokens of parts do not add up
/// to the tokens of the whole text.
#[derive(Clone, Copy)]
enum Measure {
    Characters,
    QuarterTokens,
}

/// Returns the largest number of skills that the budget allows, then the largest length of descriptions.
/// `missing` is the number of further skills that are never in the text.
fn fit(form: &Form<'_>, items: &[Item<'_>]) -> (usize, usize) {
    let everything = (items.len(), MAX_DESCRIPTION);
    if form.text.budget == Budget::Unlimited {
        return everything;
    }
    let (measure, budget) = Measure::of_budget(form.text.budget);
    let sum = Sum::new(form, items, measure);
    let cost = |shown: usize, length: usize| {
        let left_out = items.len() - shown;
        sum.frame(left_out) + sum.skills(shown, length)
    };
    let all = items.len();
    if cost(all, MAX_DESCRIPTION) <= budget {
        return everything;
    }
    let shown = sum.most_shown(budget);
    // The length in bytes is an upper bound for the characters.
    let longest = items.iter().map(|item| item.description.len()).max();
    let over = longest.unwrap_or(0).clamp(SHORTEST, MAX_DESCRIPTION) + 1;
    let length = largest(SHORTEST, over, |length| cost(shown, length) <= budget);
    (shown, length)
}

/// Finds the largest number below `over` that fits, by a binary search. `least` fits, or nothing does.
pub fn largest(mut least: usize, mut over: usize, fits: impl Fn(usize) -> bool) -> usize {
    while over - least > 1 {
        let middle = least + (over - least) / 2;
        if fits(middle) {
            least = middle;
        } else {
            over = middle;
        }
    }
    least
}

/// The costs of the parts of a text.
struct Sum<'a, 'c> {
    form: &'a Form<'a>,
    items: &'a [Item<'c>],
    measure: Measure,
    /// The cost of each skill without its description.
    bare: Vec<usize>,
    /// The cost of each whole description.
    whole: Vec<usize>,
}

impl<'a, 'c> Sum<'a, 'c> {
    fn new(form: &'a Form<'a>, items: &'a [Item<'c>], measure: Measure) -> Self {
        let mut scratch = String::new();
        let mut sum = Self {
            form,
            items,
            measure,
            bare: Vec::with_capacity(items.len()),
            whole: Vec::with_capacity(items.len()),
        };
        for (i, item) in items.iter().enumerate() {
            scratch.clear();
            if i > 0 {
                scratch.push('\n');
            }
            form.before_description(&mut scratch, item);
            form.after_description(&mut scratch, item);
            sum.bare.push(measure.of(&scratch));
            sum.whole
                .push(measure.of_escaped(form.text.is_xml, &item.description));
        }
        sum
    }

    /// Returns the cost of the text around the skills.
    fn frame(&self, left_out: usize) -> usize {
        let mut scratch = String::new();
        self.form.open(&mut scratch);
        self.form.close(&mut scratch, left_out);
        self.measure.of(&scratch)
    }

    /// Returns the cost of the first `shown` skills with descriptions of at most `length` characters.
    fn skills(&self, shown: usize, length: usize) -> usize {
        (0..shown).map(|i| self.skill(i, length)).sum()
    }

    fn skill(&self, index: usize, length: usize) -> usize {
        let item = &self.items[index];
        let description = match item.cut(length) {
            None => self.whole[index],
            Some(end) => {
                let head = &item.description[..end];
                self.measure.of("…") + self.measure.of_escaped(self.form.text.is_xml, head)
            }
        };
        self.bare[index] + description
    }

    /// Returns the number of skills that fit with descriptions of minimum length.
    ///
    /// A skill always costs more than it saves in the line that counts the omitted skills, so a binary
    /// search finds the number. The last skill is an exception, because it saves the whole line: the
    /// full list is tried first.
    fn most_shown(&self, budget: usize) -> usize {
        let all = self.items.len();
        let mut sum = 0;
        let costs: Vec<usize> = (0..all)
            .map(|i| {
                sum += self.skill(i, SHORTEST);
                sum
            })
            .collect();
        let fits = |shown: usize| self.frame(all - shown) + costs[shown - 1] <= budget;
        if all == 0 || fits(all) {
            return all;
        }
        largest(0, all, fits)
    }
}

impl Measure {
    fn of_budget(budget: Budget) -> (Self, usize) {
        match budget {
            Budget::Characters(most) => (Self::Characters, most),
            Budget::Tokens(most) => (Self::QuarterTokens, most.saturating_mul(4)),
            Budget::Unlimited => (Self::Characters, usize::MAX),
        }
    }

    fn of(self, text: &str) -> usize {
        match self {
            Self::Characters if text.is_ascii() => text.len(),
            Self::Characters => text.chars().count(),
            Self::QuarterTokens => estimate_quarter_tokens(text),
        }
    }

    /// Returns the cost of a description with the escapes of XML.
    fn of_escaped(self, is_xml: bool, text: &str) -> usize {
        let count = |is: fn(&u8) -> bool| text.as_bytes().iter().filter(|byte| is(byte)).count();
        if !is_xml {
            return self.of(text);
        }
        let longer = 4 * count(|&c| c == b'&') + 3 * count(|&c| c == b'<' || c == b'>');
        self.of(text) + longer
    }
}

#[cfg(test)]
mod tests;
