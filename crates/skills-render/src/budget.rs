//! Fits a list into its budget.

use crate::form::{Budget, Form, Item};
use skills_format::{MAX_DESCRIPTION, estimate_quarter_tokens};

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
pub(crate) fn fit(form: &Form<'_>, items: &[Item<'_>]) -> (usize, usize) {
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
