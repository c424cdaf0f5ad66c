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
            values.iter_mut().for_each(|day| *day %= 7);
            values.sort_unstable();
            values.dedup();
            values
        };
        Some(Self {
            text: text.to_owned(),
            minutes: field(minutes, 0, 59, &[])?,
            hours: field(hours, 0, 23, &[])?,
            days: field(days, 1, 31, &[])?,
            months: field(months, 1, 12, &MONTHS)?,
            weekdays: field(weekdays, 0, 7, &DAYS)?.map(sundays),
        })
    }
}

/// Numbers with commas.
pub(crate) fn numbers(values: &[u8]) -> String {
    let values: Vec<String> = values.iter().map(u8::to_string).collect();
    values.join(",")
}

/// The values of a field; `Some(None)`: all.
fn field(text: &str, first: u8, last: u8, names: &[&str]) -> Option<Option<Vec<u8>>> {
    if matches!(text, "*" | "?") {
        return Some(None);
    }
    let number = |word: &str| {
        let word = word.to_lowercase();
        let named = names
            .iter()
            .position(|name| !name.is_empty() && *name == word);
        let named = named.and_then(|at| u8::try_from(at).ok());
        named
            .or_else(|| word.parse().ok())
            .filter(|n| (first..=last).contains(n))
    };
    let mut values = Vec::new();
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, step.parse::<usize>().ok().filter(|step| *step > 0)?),
            None => (part, 1),
        };
        let (from, to) = match range.split_once('-') {
            _ if matches!(range, "*" | "?") => (first, last),
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(range)?, number(range)?),
        };
        values.extend((from..=to).step_by(step));
    }
    values.sort_unstable();
    values.dedup();
    Some(Some(values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbers() {
        let fields = Fields::read("*/20 9-11 1,15 JAN-mar 5-7").unwrap();
        assert_eq!(fields.minutes, Some(vec![0, 20, 40]));
        assert_eq!(fields.hours, Some(vec![9, 10, 11]));
        assert_eq!(fields.days, Some(vec![1, 15]));
        assert_eq!(fields.months, Some(vec![1, 2, 3]));
        assert_eq!(fields.weekdays, Some(vec![0, 5, 6]));
        assert_eq!(Fields::read("@daily").unwrap().text, "0 0 * * *");
        for odd in ["0 0 L * *", "0 0 * * 1#2", "0 0 15W * *"] {
            assert_eq!(Fields::read(odd), None, "{odd}");
        }
    }
}
