//! How much of a catalog fits into the budget.

// Shortest. A description is never shortened to fewer than 32 characters. If the text is still too long, skills
// are left out.

use crate::options::prompt::Format;
use crate::options::prompt::{Budget, PromptOptions};
use crate::prompt::format::Item;
use skills_format::{MAX_DESCRIPTION, estimate_quarter_tokens};

/// The fewest characters of a shortened description. Below that, skills are left out.
pub(crate) const SHORTEST: usize = 32;

/// The unit that is counted.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    Characters,
    QuarterTokens,
}

/// The part of a catalog that fits.
pub(crate) struct Fit {
    /// The number of skills, from the first.
    pub(crate) shown: usize,
    /// The most characters of a description.
    pub(crate) length: usize,
}

/// Returns the most skills that the budget has room for, then the longest descriptions. `missing` more
/// skills are never in the text.
pub(crate) fn fit(options: &PromptOptions, items: &[Item<'_>], missing: usize) -> Fit {
    let everything = Fit {
        shown: items.len(),
        length: MAX_DESCRIPTION,
    };
    if options.budget == Budget::Unlimited {
        return everything;
    }
    let (measure, budget) = Measure::of_budget(options.budget);
    let sum = Sum::new(options, items, measure);
    let cost = |shown: usize, length: usize| {
        let left_out = items.len() - shown + missing;
        sum.frame(left_out) + sum.skills(shown, length)
    };
    let all = items.len();
    if cost(all, MAX_DESCRIPTION) <= budget {
        return everything;
    }
    let shown = sum.most_shown(missing, budget);
    let mut fits = SHORTEST;
    let mut over = items
        .iter()
        .map(|item| item.description.len())
        .max()
        .unwrap_or(0)
        .clamp(SHORTEST, MAX_DESCRIPTION)
        + 1;
    while over - fits > 1 {
        let length = fits + (over - fits) / 2;
        if cost(shown, length) <= budget {
            fits = length;
        } else {
            over = length;
        }
    }
    Fit {
        shown,
        length: fits,
    }
}

/// The costs of the parts of a text.
struct Sum<'a, 'c> {
    options: &'a PromptOptions,
    items: &'a [Item<'c>],
    measure: Measure,
    /// The cost of each skill without its description.
    bare: Vec<usize>,
    /// The cost of each whole description.
    whole: Vec<usize>,
}

impl<'a, 'c> Sum<'a, 'c> {
    fn new(options: &'a PromptOptions, items: &'a [Item<'c>], measure: Measure) -> Self {
        let format = options.format;
        let mut scratch = String::new();
        let mut sum = Self {
            options,
            items,
            measure,
            bare: Vec::with_capacity(items.len()),
            whole: Vec::with_capacity(items.len()),
        };
        for (i, item) in items.iter().enumerate() {
            scratch.clear();
            format.separate(&mut scratch, i);
            format.before_description(&mut scratch, item);
            format.after_description(&mut scratch, item);
            sum.bare.push(measure.of(&scratch));
            sum.whole
                .push(measure.of_escaped(format, &item.description));
        }
        sum
    }

    /// Returns the cost of the text around the skills.
    fn frame(&self, left_out: usize) -> usize {
        let PromptOptions {
            format,
            heading,
            intro,
            ..
        } = self.options;
        let mut scratch = String::new();
        format.open(&mut scratch, heading, intro);
        format.close(&mut scratch, left_out);
        self.measure.of(&scratch)
    }

    /// Returns the cost of the first skills with descriptions of so many characters.
    fn skills(&self, shown: usize, length: usize) -> usize {
        (0..shown).map(|i| self.skill(i, length)).sum()
    }

    fn skill(&self, index: usize, length: usize) -> usize {
        let Some(item) = self.items.get(index) else {
            return 0;
        };
        let bare = self.bare.get(index).copied().unwrap_or_default();
        let description = match item.cut(length).and_then(|end| item.description.get(..end)) {
            None => self.whole.get(index).copied().unwrap_or_default(),
            Some(head) => self.measure.of("…") + self.measure.of_escaped(self.options.format, head),
        };
        bare + description
    }

    /// Returns the number of skills that have room when their descriptions are shortest.
    ///
    /// A skill always costs more than it saves in the line that counts the skills that are left out.
    /// The last skill is an exception: it saves the whole line.
    fn most_shown(&self, missing: usize, budget: usize) -> usize {
        let all = self.items.len();
        let mut sum = 0;
        let costs: Vec<usize> = (0..all)
            .map(|i| {
                sum += self.skill(i, SHORTEST);
                sum
            })
            .collect();
        let fits = |(i, cost): (usize, &usize)| self.frame(all - i - 1 + missing) + cost <= budget;
        if costs.last().is_some_and(|cost| fits((all - 1, cost))) {
            return all;
        }
        let (mut shown, mut over) = (0, all);
        while over - shown > 1 {
            let middle = shown + (over - shown) / 2;
            if costs
                .get(middle - 1)
                .is_some_and(|cost| fits((middle - 1, cost)))
            {
                shown = middle;
            } else {
                over = middle;
            }
        }
        shown
    }
}

impl Measure {
    pub(crate) fn of_budget(budget: Budget) -> (Self, usize) {
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

    /// Returns the cost of a description as the format writes it.
    fn of_escaped(self, format: Format, text: &str) -> usize {
        let count = |is: fn(&u8) -> bool| text.as_bytes().iter().filter(|byte| is(byte)).count();
        let longer = match format {
            Format::Bullets | Format::Section => 0,
            Format::Xml => 4 * count(|&c| c == b'&') + 3 * count(|&c| c == b'<' || c == b'>'),
            Format::Json => count(|&c| c == b'"' || c == b'\\'),
        };
        self.of(text) + longer
    }
}
