//! The fields of a cron expression as numbers, for schedulers with another notation.

use crate::schedule::cron::CronText;

/// The values of each field; `None` for all values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) minutes: Option<Vec<u16>>,
    pub(crate) hours: Option<Vec<u16>>,
    pub(crate) days: Option<Vec<u16>>,
    pub(crate) months: Option<Vec<u16>>,
    /// The days of the week, from 0 (Sunday) to 6.
    pub(crate) weekdays: Option<Vec<u16>>,
}

impl Fields {
    /// Returns the values of a cron expression. Returns `None` if its days depend on the month, as with `L`, `W` and
    /// `1#2`, or if a day must match both fields, as with `+`.
    pub(crate) fn of(cron: &CronText) -> Option<Self> {
        let pattern = &cron.cron().pattern;
        let (days, weekdays) = (&pattern.days, &pattern.days_of_week);
        let is_any = (pattern.is_dom_wildcard(), pattern.is_dow_wildcard());
        let are_both = pattern.matches_dom_and_dow() && is_any == (false, false);
        if days.has_modifiers() || weekdays.has_modifiers() || are_both {
            return None;
        }
        let some_of = |values: Vec<u16>, all: usize| (values.len() < all).then_some(values);
        Some(Self {
            minutes: some_of(pattern.minutes.values(), 60),
            hours: some_of(pattern.hours.values(), 24),
            days: (!is_any.0).then(|| days.values()),
            months: some_of(pattern.months.values(), 12),
            weekdays: (!is_any.1).then(|| weekdays.values()),
        })
    }

    /// Renders the fields in the notation that every cron reads.
    pub(crate) fn text(&self) -> String {
        let field = |values: &Option<Vec<u16>>| values.as_deref().map_or("*".to_owned(), ranges);
        let clock = |values: &Option<Vec<u16>>, all| {
            let step = values.as_deref().and_then(|values| step(values, all));
            step.map_or_else(|| field(values), |step| format!("*/{step}"))
        };
        let (minutes, hours) = (clock(&self.minutes, 60), clock(&self.hours, 24));
        let [days, months, weekdays] = [&self.days, &self.months, &self.weekdays].map(field);
        format!("{minutes} {hours} {days} {months} {weekdays}")
    }
}

/// Joins numbers with commas.
pub(crate) fn numbers(values: &[u16]) -> String {
    let values: Vec<String> = values.iter().map(u16::to_string).collect();
    values.join(",")
}

/// Joins numbers with commas, with three or more consecutive numbers as a range.
fn ranges(values: &[u16]) -> String {
    let runs = values.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, _, .., last] => format!("{first}-{last}"),
        few => numbers(few),
    });
    runs.collect::<Vec<String>>().join(",")
}

/// Returns the step of evenly spaced values, from 0 to the last value below `all`.
pub(crate) fn step(values: &[u16], all: u16) -> Option<u16> {
    let [0, step, .., last] = values else {
        return None;
    };
    let is_even = values
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a + step == *b));
    (is_even && last + step >= all).then_some(*step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_as_every_cron_reads_them() {
        for (text, fields) in [
            ("*/20 8 13 * 5", Some("*/20 8 13 * 5")),
            ("0-40/20 */5 * * 5", Some("*/20 */5 * * 5")),
            ("0-30/10 0,12 * * *", Some("0,10,20,30 0,12 * * *")),
            ("0 9 * * MON-FRI", Some("0 9 * * 1-5")),
            ("0 0 ? JAN-mar sun", Some("0 0 * 1-3 0")),
            ("5-59/10 0-23 * * 5-7", Some("5,15,25,35,45,55 * * * 0,5,6")),
            // Some crons require both days to match if one of them begins with `*`.
            ("0 0 */10 * 1", Some("0 0 1,11,21,31 * 1")),
            ("0 0 1-31 * 1", Some("0 0 1-31 * 1")),
            ("@weekly", Some("0 0 * * 0")),
            ("0 0 L * *", None),
            ("0 0 15W * *", None),
            ("0 0 * * 1#2", None),
            ("0 0 13 * +5", None),
        ] {
            let cron = CronText::parse(text).unwrap();
            let found = Fields::of(&cron).map(|fields| fields.text());
            assert_eq!(found.as_deref(), fields, "{text}");
        }
        // Crons disagree about the meaning of this.
        assert!(CronText::parse("5/10 * * * *").is_err());
    }
}
