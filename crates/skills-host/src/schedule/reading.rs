//! The times of a schedule in words: `weekdays at 09:00`.

use crate::schedule::cron::CronText;
use crate::schedule::fields::{Fields, numbers, step};
use crate::schedule::timing::Timing;
use crate::schedule::zone::Zone;

/// Maximum number of times of a day that are listed.
const MOST_TIMES: usize = 4;
const WEEKDAYS: [(&str, &str); 7] = [
    ("Sundays", "Sun"),
    ("Mondays", "Mon"),
    ("Tuesdays", "Tue"),
    ("Wednesdays", "Wed"),
    ("Thursdays", "Thu"),
    ("Fridays", "Fri"),
    ("Saturdays", "Sat"),
];

impl Timing {
    /// Returns the times in words. A cron expression that needs a sentence is shown as it is: `cron 0 9 13 * 5`.
    pub fn words(&self, zone: &Zone) -> String {
        match self {
            Self::Once(once) => format!("once, {}", zone.shown(*once)),
            Self::Cron(cron) => in_words(cron).unwrap_or_else(|| format!("cron {}", cron.as_str())),
        }
    }

    /// Returns the cron expression, if the words are not the expression itself.
    pub fn cron_beside_words(&self) -> Option<&str> {
        match self {
            Self::Once(_) => None,
            Self::Cron(cron) => in_words(cron).is_some().then(|| cron.as_str()),
        }
    }
}

fn in_words(cron: &CronText) -> Option<String> {
    let fields = Fields::of(cron)?;
    if fields.months.is_some() {
        return None;
    }
    let days = days(&fields)?;
    if let Some(times) = times(&fields) {
        return Some(match days {
            None => format!("every day at {times}"),
            Some(days) => format!("{days} at {times}"),
        });
    }
    let interval = interval(&fields)?;
    Some(match days {
        None => interval,
        Some(days) => format!("{interval}, {days}"),
    })
}

/// Returns the days in words: `Some(None)` for every day, `None` for days that need a sentence.
#[expect(clippy::option_option, reason = "no words, and no need of words")]
fn days(fields: &Fields) -> Option<Option<String>> {
    match (fields.days.as_deref(), fields.weekdays.as_deref()) {
        (None, None | Some([0, 1, 2, 3, 4, 5, 6])) => Some(None),
        (None, Some([1, 2, 3, 4, 5])) => Some(Some("weekdays".to_owned())),
        (None, Some([0, 6])) => Some(Some("weekends".to_owned())),
        (None, Some([day])) => Some(Some(WEEKDAYS.get(usize::from(*day))?.0.to_owned())),
        (None, Some(some)) => {
            let names = some
                .iter()
                .map(|day| Some(WEEKDAYS.get(usize::from(*day))?.1));
            Some(Some(names.collect::<Option<Vec<&str>>>()?.join(", ")))
        }
        (Some([day]), None) => Some(Some(format!("day {day} of the month"))),
        (Some(days), None) if days.len() <= MOST_TIMES => Some(Some(format!(
            "days {} of the month",
            numbers(days).replace(',', ", ")
        ))),
        _ => None,
    }
}

/// Returns the times of a day, if they are few.
fn times(fields: &Fields) -> Option<String> {
    let (minutes, hours) = (fields.minutes.as_ref()?, fields.hours.as_ref()?);
    if minutes.len() * hours.len() > MOST_TIMES {
        return None;
    }
    let times = hours.iter().flat_map(|hour| {
        minutes
            .iter()
            .map(move |minute| format!("{hour:02}:{minute:02}"))
    });
    Some(times.collect::<Vec<_>>().join(", "))
}

fn interval(fields: &Fields) -> Option<String> {
    match (fields.minutes.as_deref(), fields.hours.as_deref()) {
        (None, None) => Some("every minute".to_owned()),
        (Some([0]), None) => Some("every hour".to_owned()),
        (Some([minute]), None) => Some(format!("every hour at minute {minute}")),
        (Some([0, 30]), None) => Some("every 30 minutes".to_owned()),
        (Some(minutes), None) => Some(format!("every {} minutes", step(minutes, 60)?)),
        (Some([0]), Some(hours)) => Some(format!("every {} hours", step(hours, 24)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cron_texts_in_words() {
        let zone = Zone::named("UTC").unwrap();
        for (text, words) in [
            ("0 9 * * *", "every day at 09:00"),
            ("30 8 * * 1-5", "weekdays at 08:30"),
            ("0 9,17 * * 0,6", "weekends at 09:00, 17:00"),
            ("0 9 * * 1", "Mondays at 09:00"),
            ("0 9 * * MON,WED", "Mon, Wed at 09:00"),
            ("@weekly", "Sundays at 00:00"),
            ("* * * * *", "every minute"),
            ("*/30 * * * *", "every 30 minutes"),
            ("*/15 * * * 1-5", "every 15 minutes, weekdays"),
            ("0 * * * *", "every hour"),
            ("5 * * * *", "every hour at minute 5"),
            ("0 */2 * * *", "every 2 hours"),
            ("0 */12 * * *", "every day at 00:00, 12:00"),
            ("0 9 1 * *", "day 1 of the month at 09:00"),
            ("0 9 1,15 * *", "days 1, 15 of the month at 09:00"),
            ("0 9 13 * 5", "cron 0 9 13 * 5"),
            ("0 9 * 12 *", "cron 0 9 * 12 *"),
            ("0 9 L * *", "cron 0 9 L * *"),
            ("0-10 9 * * *", "cron 0-10 9 * * *"),
        ] {
            let timing = Timing::Cron(CronText::parse(text).unwrap());
            assert_eq!(timing.words(&zone), words, "{text}");
            assert_eq!(
                timing.cron_beside_words().is_none(),
                words.starts_with("cron ")
            );
        }
    }
}
