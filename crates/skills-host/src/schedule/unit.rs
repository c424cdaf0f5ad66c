//! Units for the schedulers of the system: systemd, launchd, cron.
//!
//! A unit starts the daemon, or runs one schedule. Nothing is written: the text is for the user to review first.

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

/// A unit: the files that express it, and the commands that start and end it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unit {
    /// The name: `skills-schedule`, or `skills-NAME` for one schedule.
    pub name: String,
    /// The files. For cron: one text, the lines of the crontab.
    pub files: Vec<UnitFile>,
    /// The shell command that starts the unit; `None` if it starts by itself.
    pub start: Option<String>,
    /// The shell command that ends the unit; `None` if it ends by itself.
    pub stop: Option<String>,
}

/// A file of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnitFile {
    /// The file name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Unit {
    /// Returns the texts of all files.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.files.iter().map(|file| file.text.as_str()).collect();
        texts.join("\n")
    }
}

impl UnitKind {
    /// Renders the unit that starts the daemon. `words` are the command of the daemon and its arguments. `profile` is
    /// the profile whose schedules the daemon runs, if it is not the default profile: each has a unit of its own.
    pub fn daemon(self, profile: Option<&str>, words: &[String]) -> Unit {
        let name = match profile {
            None => "skills-schedule".to_owned(),
            Some(profile) => format!("skills-schedule-{profile}"),
        };
        let text = match self {
            Self::Systemd => format!(
                "# ~/.config/systemd/user/{name}.service\n\
                 # systemctl --user enable --now {name}\n\
                 [Unit]\nDescription=Runs scheduled skills\n\n\
                 [Service]\nExecStart={}\nRestart=on-failure\nKillMode=mixed\nTimeoutStopSec=45\n\n\
                 [Install]\nWantedBy=default.target\n",
                systemd_words(words)
            ),
            Self::Launchd => plist(
                &name,
                words,
                "\t<key>RunAtLoad</key>\n\t<true/>\n\t<key>KeepAlive</key>\n\t<true/>\n\
                 \t<key>ExitTimeOut</key>\n\t<integer>45</integer>\n",
            ),
            Self::Cron => format!("# crontab -e\n@reboot {}\n", cron_words(words)),
        };
        self.unit(&name, ".service", vec![text])
    }

    /// Renders the unit that runs one schedule. `words` are the command and its arguments, and `machine` is the zone of this
    /// machine. No daemon may run the same schedule.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the scheduler cannot express the schedule's times.
    pub fn one(
        self,
        schedule: &Schedule,
        words: &[String],
        machine: Option<&str>,
    ) -> Result<Unit, Error> {
        let texts = self.texts_of_one(schedule, words, machine)?;
        Ok(self.unit(&self.name_of_one(&schedule.name), ".timer", texts))
    }

    /// Returns the unit of a schedule without its text, to remove it: the schedule need not exist any more.
    pub fn without_text(self, schedule: &str) -> Unit {
        let texts = vec![String::new(), String::new()];
        self.unit(&self.name_of_one(schedule), ".timer", texts)
    }

    fn name_of_one(self, schedule: &str) -> String {
        match self {
            Self::Launchd => format!("skills-schedule.{schedule}"),
            Self::Systemd | Self::Cron => format!("skills-{schedule}"),
        }
    }

    /// Builds a unit. `started` is the ending of the file that systemd starts.
    fn unit(self, name: &str, started: &str, texts: Vec<String>) -> Unit {
        let endings: &[&str] = match self {
            Self::Systemd => &[".service", ".timer"],
            Self::Launchd => &[".plist"],
            Self::Cron => &[""],
        };
        let files = texts.into_iter().zip(endings);
        let (start, stop) = match self {
            Self::Systemd => (
                Some(format!(
                    "systemctl --user daemon-reload && systemctl --user enable --now {name}{started}"
                )),
                Some(format!("systemctl --user disable --now {name}{started}")),
            ),
            Self::Launchd => (
                Some(format!(
                    "launchctl load -w ~/Library/LaunchAgents/{name}.plist"
                )),
                Some(format!(
                    "launchctl unload -w ~/Library/LaunchAgents/{name}.plist"
                )),
            ),
            Self::Cron => (None, None),
        };
        Unit {
            name: name.to_owned(),
            files: files
                .map(|(text, ending)| UnitFile {
                    name: format!("{name}{ending}"),
                    text,
                })
                .collect(),
            start,
            stop,
        }
    }

    fn texts_of_one(
        self,
        schedule: &Schedule,
        words: &[String],
        machine: Option<&str>,
    ) -> Result<Vec<String>, Error> {
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
            Self::Cron => Ok(vec![format!(
                "# crontab -e, for a cron that knows CRON_TZ\nCRON_TZ={zone}\n{} {}\n{}",
                fields.text(),
                cron_words(words),
                own_zone(machine)
            )]),
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
                Ok(vec![plist(&format!("skills-schedule.{name}"), words, &key)])
            }
        }
    }
}

/// Returns the line that gives the later lines of a crontab the zone of this machine again: `CRON_TZ` holds for every line
/// below it, and cron has no word for its end.
fn own_zone(machine: Option<&str>) -> String {
    match machine {
        Some(name) => format!("CRON_TZ={name}\n"),
        None => "# CRON_TZ holds for every line below: keep these lines last\n".to_owned(),
    }
}

fn refused(name: &str, what: &str) -> Error {
    Error::new(ErrorKind::Refused, format!("{name} {what}"))
        .help("the daemon runs every schedule; leave the name out for the unit of the daemon")
}

fn systemd_timer(name: &str, words: &[String], calendars: &[String]) -> Vec<String> {
    let lines: Vec<String> = calendars
        .iter()
        .map(|time| format!("OnCalendar={time}\n"))
        .collect();
    let service = format!(
        "# ~/.config/systemd/user/skills-{name}.service\n\
         [Unit]\nDescription=Runs the scheduled skill {name}\n\n\
         [Service]\nType=oneshot\nExecStart={}\n",
        systemd_words(words)
    );
    let timer = format!(
        "# ~/.config/systemd/user/skills-{name}.timer\n\
         # systemctl --user enable --now skills-{name}.timer\n\
         [Unit]\nDescription=When the scheduled skill {name} runs\n\n\
         [Timer]\n{}Persistent=true\n\n\
         [Install]\nWantedBy=timers.target\n",
        lines.concat()
    );
    vec![service, timer]
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

#[cfg(all(test, target_os = "linux"))]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "asks systemd about a unit, and tells if it is not here"
)]
mod tests {
    use super::*;
    use crate::schedule::entry::{Limit, Missed, ZonedTiming};
    use crate::schedule::names::ScheduleName;
    use crate::schedule::timing::TimeWords;
    use crate::schedule::zone::Zone;
    use jiff::Timestamp;
    use std::process::Command;

    /// systemd itself reads the units: of the daemon, and of schedules in every form of time.
    #[test]
    fn systemd_accepts_the_units() {
        let folder = tempfile::tempdir().unwrap();
        let words = [
            "/bin/true",
            "--agent",
            "my-agent --print '50% of $HOME' \"\\ ünïcode",
        ];
        let words = words.map(str::to_owned);
        let mut units = vec![UnitKind::Systemd.daemon(None, &words)];
        let zone = Zone::named("Europe/Berlin").unwrap();
        let now: Timestamp = "2026-05-04T09:00:00Z".parse().unwrap();
        let times = [
            TimeWords::Every("weekday at 9"),
            TimeWords::Every("30 minutes"),
            TimeWords::Cron("0 9 13 * 5"),
            TimeWords::At("2030-12-24 9am"),
        ];
        for (at, time) in times.into_iter().enumerate() {
            let timing = Timing::parse(time, &zone, now).unwrap();
            let plan = ZonedTiming {
                timing,
                zone: zone.clone(),
            };
            let name = ScheduleName::new(&format!("r-0000000{at}")).unwrap();
            let schedule = Schedule::new(name, plan, Missed::RunOnce, Limit::DEFAULT, now);
            units.push(UnitKind::Systemd.one(&schedule, &words, None).unwrap());
        }
        let mut paths = Vec::new();
        for file in units.iter().flat_map(|unit| &unit.files) {
            let path = folder.path().join(&file.name);
            std::fs::write(&path, &file.text).unwrap();
            paths.push(path);
        }
        assert_eq!(paths.len(), 9);
        let verify = Command::new("systemd-analyze")
            .args(["--user", "--man=no", "verify"])
            .args(&paths)
            .env("XDG_RUNTIME_DIR", folder.path())
            .output();
        let Ok(verify) = verify else {
            println!("not run: systemd-analyze is not here");
            return;
        };
        let errors = String::from_utf8_lossy(&verify.stderr);
        assert!(verify.status.success() && errors.is_empty(), "{errors}");
    }
}
