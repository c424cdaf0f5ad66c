//! Fills the placeholders in a body: `$ARGUMENTS`, the names that the skill declares, positions, the folder of
//! the skill, and the host's variables. [`Placeholders`] says which of them a profile has.

// `$ARGUMENTS[0]` needs no declared name. In the guarded form, names in capitals (variables of the host such as
// `$REPO_ROOT`), numbers and names that the host supplies take no position in `arguments`. Words without a
// position are not lost: the `ARGUMENTS:` line follows the body then.

pub(crate) mod braced;
pub(crate) mod folder;
mod money;
mod named;
mod numbered;
#[cfg(test)]
mod tests;
pub(crate) mod values;

use crate::activation::placeholder::braced::braced;
use crate::activation::placeholder::named::Named;
use crate::activation::placeholder::numbered::Numbered;
use crate::activation::placeholder::values::{Escape, Found, Values};
use crate::activation::placeholders::Placeholders;
use skills_format::text::places_of;

/// The result of filling: the body had placeholders for all arguments, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// The body has placeholders for all of them.
    Placed,
    /// A line with the arguments follows the body.
    NotPlaced,
}

/// The maximum number of bytes in all inserted values together, unless only one value is inserted. A
/// body can repeat a placeholder a hundred thousand times.
pub const MAX_INSERTED: usize = 1024 * 1024;

/// Appends the body and fills its placeholders in one pass. Inserted text is never scanned. Returns
/// `None` if the values have more than [`MAX_INSERTED`] bytes.
///
/// In the guarded form the arguments are placed if `$ARGUMENTS` occurs, or if each word has been inserted. In
/// the other forms any value of an argument places them, as the programs do that these forms are of.
pub fn fill(out: &mut String, body: &str, values: &Values<'_>) -> Option<Arguments> {
    #[cfg(test)]
    crate::counted::COPIES.with(|count| count.update(|count| count + 1));
    // Most bodies have no placeholder: they are searched once.
    if places_of(body, b'$').next().is_none() {
        out.push_str(body);
        return Some(Arguments::NotPlaced);
    }
    let mut source = Source::new(body, values);
    let mut inserted = 0;
    let mut start = 0;
    let mut at = 0;
    while let Some(found) = places_of(body.get(at..).unwrap_or_default(), b'$').next() {
        let dollar = at + found;
        at = dollar + 1;
        let Some(found) = source.at(body, dollar, values) else {
            continue;
        };
        let Found {
            length,
            value,
            escape,
        } = found;
        if escape.holds(body, dollar) {
            // The backslash goes. The placeholder is not read again: `\$ARGUMENTS[0]` is one placeholder.
            out.push_str(body.get(start..dollar - 1).unwrap_or_default());
            start = dollar;
            at += length;
            continue;
        }
        let Some(value) = value else { continue };
        // The first value is inserted at any length: a single insertion cannot multiply the arguments.
        if inserted > 0 && inserted + value.len() > MAX_INSERTED {
            return None;
        }
        inserted += value.len();
        out.push_str(body.get(start..dollar).unwrap_or_default());
        out.push_str(value);
        at += length;
        start = at;
    }
    out.push_str(body.get(start..).unwrap_or_default());
    Some(source.placed())
}

/// The values of the form that a profile has.
enum Source<'a> {
    Words(Named<'a>),
    Numbered(Numbered<'a>),
    Nothing,
}

impl<'a> Source<'a> {
    fn new(body: &str, values: &Values<'a>) -> Self {
        match values.placeholders {
            Placeholders::Guarded | Placeholders::Everywhere => {
                Self::Words(Named::new(body, values))
            }
            Placeholders::Numbered => Self::Numbered(Numbered::new(body, values)),
            Placeholders::None => Self::Nothing,
        }
    }

    /// Returns the placeholder whose `$` is at a place of the body.
    fn at<'f>(
        &'f mut self,
        body: &str,
        dollar: usize,
        values: &'f Values<'_>,
    ) -> Option<Found<'f>> {
        let text = body.get(dollar + 1..).unwrap_or_default();
        match self {
            Self::Words(named) if text.starts_with('{') => {
                let is_guarded = named.is_guarded();
                if is_guarded && body.get(..dollar)?.ends_with('$') {
                    return None;
                }
                let (length, value) = braced(text, values)?;
                let escape = if is_guarded {
                    Escape::Odd
                } else {
                    Escape::Never
                };
                Some(Found {
                    length,
                    value,
                    escape,
                })
            }
            Self::Words(named) => named.at(body, dollar),
            Self::Numbered(numbered) => numbered.at(text),
            Self::Nothing => None,
        }
    }

    fn placed(&self) -> Arguments {
        let is_placed = match self {
            Self::Words(named) => named.is_placed(),
            Self::Numbered(numbered) => numbered.is_placed,
            Self::Nothing => false,
        };
        if is_placed {
            Arguments::Placed
        } else {
            Arguments::NotPlaced
        }
    }
}
