//! Units for the schedulers of the system: systemd, launchd, cron.
//!
//! A unit starts the daemon, or runs one schedule. Nothing is written: the text is for the user to review.

use crate::schedule::entry::Schedule;
use crate::schedule::fields::{Fields, numbers};
use crate::schedule::timing::Timing;
use skills_store::{Error, ErrorKind};

/// A scheduler of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// User units of systemd.
    Systemd,
    /// A property list of launchd.
    Launchd,
    /// Lines of a crontab.
    Cron,
}

/// Maximum number of entries of a property list for one schedule.
const MOST_ENTRIES: usize = 100;

impl UnitKind {
    /// Renders the unit that starts the daemon. `words` are the command of the daemon and its arguments.
    pub fn daemon(self, words: &[String]) -> String {
        match self {
            Self::Systemd => format!(
                "# ~/.config/systemd/user/skills-schedule.service\n\
                 # systemctl --user enable --now skills-schedule\n\
                 [Unit]\nDescription=Runs scheduled skills\n\n\
                 [Service]\nExecStart={}\nRestart=on-failure\nKillMode=mixed\nTimeoutStopSec=45\n\n\
                 [Install]\nWantedBy=default.target\n",
                systemd_words(words)
            ),
            Self::Launchd => plist(
                "skills-schedule",
                words,
                "\t<key>KeepAlive</key>\n\t<true/>\n\t<key>ExitTimeOut</key>\n\t<integer>45</integer>\n",
            ),
            Self::Cron => format!("# crontab -e\n@reboot {}\n", cron_words(words)),
        }
    }

    /// Renders the unit that runs one schedule. `words` are the command and its arguments. No daemon may run the same
    /// schedule.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the scheduler cannot express the schedule's times.
    pub fn one(self, schedule: &Schedule, words: &[String]) -> Result<String, Error> {
        let name = &schedule.name;
        let plan = schedule
            .plan
            .as_ref()
            .map_err(|why| refused(name, &format!("cannot run: {why}")))?;
        let zone = plan.zone.name();
        let fields = match &plan.timing {
            Timing::Cron(cron) => Fields::of(cron).ok_or_else(|| {
                refused(
                    name,
                    "has a day with L, W, # or +, which only the daemon reads",
                )
            })?,
            Timing::Once(once) if self == Self::Systemd => {
                let time = once.strftime("%Y-%m-%d %H:%M:%S UTC").to_string();
                return Ok(systemd_timer(name, words, &[time]));
            }
            Timing::Once(_) => return Err(refused(name, "runs once")),
        };
        match self {
            Self::Systemd => Ok(systemd_timer(name, words, &calendars(&fields, zone))),
            Self::Cron => Ok(format!(
                "# crontab -e, for a cron that knows CRON_TZ\nCRON_TZ={zone}\n{} {}\n",
                fields.text(),
                cron_words(words)
            )),
            Self::Launchd => {
                let entries = intervals(&fields)
                    .filter(|entries| entries.len() <= MOST_ENTRIES)
                    .ok_or_else(|| refused(name, "has too many times"))?;
                let key = format!(
                    "\t<!-- times of the machine's zone: the schedule's zone is {} -->\n\
                     \t<key>StartCalendarInterval</key>\n\t<array>\n{}\t</array>\n",
                    escaped(zone),
                    entries.concat()
                );
                Ok(plist(&format!("skills-schedule.{name}"), words, &key))
            }
        }
    }
}

fn refused(name: &str, what: &str) -> Error {
    Error::new(ErrorKind::Refused, format!("{name} {what}"))
        .help("the daemon runs every schedule; leave the name out for the unit of the daemon")
}

fn systemd_timer(name: &str, words: &[String], calendars: &[String]) -> String {
    let times: Vec<String> = calendars
        .iter()
        .map(|time| format!("OnCalendar={time}\n"))
        .collect();
    format!(
        "# ~/.config/systemd/user/skills-{name}.service\n\
         [Unit]\nDescription=Runs the scheduled skill {name}\n\n\
         [Service]\nType=oneshot\nExecStart={}\n\n\
         # ~/.config/systemd/user/skills-{name}.timer\n\
         # systemctl --user enable --now skills-{name}.timer\n\
         [Unit]\nDescription=When the scheduled skill {name} runs\n\n\
         [Timer]\n{}Persistent=true\n\n\
         [Install]\nWantedBy=timers.target\n",
        systemd_words(words),
        times.concat()
    )
}

/// Renders the times for systemd. If both kinds of days are given, two lines express that one match is enough.
fn calendars(fields: &Fields, zone: &str) -> Vec<String> {
    let list = |values: &Option<Vec<u16>>| values.as_deref().map_or("*".to_owned(), numbers);
    let clock = format!("{}:{}:00", list(&fields.hours), list(&fields.minutes));
    let months = list(&fields.months);
    let days = |days: &str| format!("*-{months}-{days} {clock} {zone}");
    let weekdays = fields.weekdays.as_ref().map(|on| {
        let names: Vec<&str> = on
            .iter()
            .filter_map(|day| WEEKDAYS.get(usize::from(*day)).copied())
            .collect();
        names.join(",")
    });
    match (&fields.days, weekdays) {
        (Some(on), Some(weekdays)) => {
            vec![days(&numbers(on)), format!("{weekdays} {}", days("*"))]
        }
        (None, Some(weekdays)) => vec![format!("{weekdays} {}", days("*"))],
        (on, None) => vec![days(&list(on))],
    }
}

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// Renders the times for launchd, one entry for each; `None` if there are too many.
fn intervals(fields: &Fields) -> Option<Vec<String>> {
    let both = fields.days.is_some() && fields.weekdays.is_some();
    let all = |days: &Option<Vec<u16>>, weekdays: &Option<Vec<u16>>| {
        let keys = [
            ("Minute", &fields.minutes),
            ("Hour", &fields.hours),
            ("Day", days),
            ("Month", &fields.months),
            ("Weekday", weekdays),
        ];
        let mut entries = vec![String::new()];
        for (key, values) in keys {
            let Some(values) = values else { continue };
            if entries.len().saturating_mul(values.len()) > MOST_ENTRIES {
                return None;
            }
            let with = |entry: &String| -> Vec<String> {
                let line = |value| format!("{entry}<key>{key}</key><integer>{value}</integer>");
                values.iter().map(line).collect()
            };
            entries = entries.iter().flat_map(with).collect();
        }
        let entry = |entry: String| format!("\t\t<dict>{entry}</dict>\n");
        Some(entries.into_iter().map(entry).collect::<Vec<String>>())
    };
    if !both {
        return all(&fields.days, &fields.weekdays);
    }
    let mut entries = all(&fields.days, &None)?;
    entries.extend(all(&None, &fields.weekdays)?);
    Some(entries)
}

fn plist(label: &str, words: &[String], more: &str) -> String {
    let word = |word: &String| format!("\t\t<string>{}</string>\n", escaped(word));
    let words: Vec<String> = words.iter().map(word).collect();
    let label = escaped(label);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!-- ~/Library/LaunchAgents/{label}.plist; launchctl load -w it -->\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n\t<key>Label</key>\n\t<string>{label}</string>\n\
         \t<key>ProgramArguments</key>\n\t<array>\n{}\t</array>\n{more}</dict>\n</plist>\n",
        words.concat()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace("--", "&#45;&#45;")
}

/// Quotes words for systemd: in double quotes, with `%` and `$` doubled.
fn systemd_words(words: &[String]) -> String {
    let word = |word: &String| {
        let word = word.replace('\\', "\\\\").replace('"', "\\\"");
        let word = word
            .replace('%', "%%")
            .replace('$', "$$")
            .replace('\n', "\\n");
        if is_plain(&word) {
            word
        } else {
            format!("\"{word}\"")
        }
    };
    words.iter().map(word).collect::<Vec<String>>().join(" ")
}

/// Quotes words for cron's shell. Cron ends a command at an unescaped `%`.
fn cron_words(words: &[String]) -> String {
    let word = |word: &String| {
        if is_plain(word) {
            return word.clone();
        }
        let word = word
            .replace('\'', "'\\''")
            .replace('%', "\\%")
            .replace('\n', " ");
        format!("'{word}'")
    };
    words.iter().map(word).collect::<Vec<String>>().join(" ")
}

fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+=,".contains(c);
    !word.is_empty() && word.chars().all(plain)
}
