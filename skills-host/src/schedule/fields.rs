//! The fields of a cron text as numbers, for schedulers that write times in another form.

/// The values of each field. `None`: all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    /// The text, with numbers in place of names.
    pub(crate) text: String,
    pub(crate) minutes: Option<Vec<u8>>,
    pub(crate) hours: Option<Vec<u8>>,
    pub(crate) days: Option<Vec<u8>>,
    pub(crate) months: Option<Vec<u8>>,
    /// From 0, which is Sunday, to 6.
    pub(crate) weekdays: Option<Vec<u8>>,
}

const MONTHS: [&str; 13] = [
    "", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

impl Fields {
    /// Reads a valid cron text. `None`: a day of it is not a number, such as `L` or `1#2`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = match text.to_lowercase().as_str() {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            _ => text,
        };
        let fields: Vec<&str> = text.split(' ').collect();
        let [minutes, hours, days, months, weekdays] = fields.as_slice() else {
            return None;
        };
        let sundays = |mut values: Vec<u8>| {
            for day in &mut values {
                *day %= 7;
            }
            values.sort_unstable();
            values.dedup();
            values
        };
        Some(Self {
            text: text.to_owned(),
            minutes: field(minutes, 0, 59, &[]).ok()?,
            hours: field(hours, 0, 23, &[]).ok()?,
            days: field(days, 1, 31, &[]).ok()?,
            months: field(months, 1, 12, &MONTHS).ok()?,
            weekdays: field(weekdays, 0, 7, &DAYS).ok()?.map(sundays),
        })
    }
}

/// Numbers with commas.
pub(crate) fn numbers(values: &[u8]) -> String {
    let values: Vec<String> = values.iter().map(u8::to_string).collect();
    values.join(",")
}

/// A field that cannot be read.
struct Unreadable;

/// The values of a field. `None`: all.
fn field(text: &str, first: u8, last: u8, names: &[&str]) -> Result<Option<Vec<u8>>, Unreadable> {
    if matches!(text, "*" | "?") {
        return Ok(None);
    }
    let mut values = Vec::new();
    for part in text.split(',') {
        values.extend(part_of_field(part, first, last, names).ok_or(Unreadable)?);
    }
    values.sort_unstable();
    values.dedup();
    Ok(Some(values))
}

/// The values of a range, with or without a step, or of one value.
fn part_of_field(
    text: &str,
    first: u8,
    last: u8,
    names: &[&str],
) -> Option<impl Iterator<Item = u8>> {
    let value = |word: &str| {
        let word = word.to_lowercase();
        let place = names
            .iter()
            .position(|name| !name.is_empty() && *name == word);
        place
            .and_then(|place| u8::try_from(place).ok())
            .or_else(|| word.parse().ok())
            .filter(|value| (first..=last).contains(value))
    };
    let (range, step) = match text.split_once('/') {
        Some((range, step)) => (range, step.parse::<usize>().ok().filter(|step| *step > 0)?),
        None => (text, 1),
    };
    let (from, to) = match range.split_once('-') {
        _ if matches!(range, "*" | "?") => (first, last),
        Some((from, to)) => (value(from)?, value(to)?),
        None => (value(range)?, value(range)?),
    };
    Some((from..=to).step_by(step))
}
