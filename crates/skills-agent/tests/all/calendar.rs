//! Simulates a year of 200 schedules in three zones, with a daemon that is down for random stretches. The result is
//! compared with an independent implementation in this file: of cron fields, of the daylight-saving rules of the
//! three zones, and of the treatment of missed times.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use jiff::Timestamp;
use jiff::civil::DateTime;
use skills_agent::schedule::{MOST_COUNTED, Schedule, ScheduleWords, Scheduler, TimeWords, Zone};
use skills_host::files::data::DataFolder;
use skills_session::options::Options;
use std::thread;

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;
const YEAR: i16 = 2026;
const SCHEDULES: i64 = 200;

/// One event: its time, the calendar time, the number of missed times before it.
type Done = (i64, i64, u32);

/// A deterministic random generator.
struct Random(u64);

impl Random {
    fn next(&mut self, below: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 1).cast_signed() % below
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[index(self.next(i64::try_from(all.len()).unwrap()))]
    }
}

/// The offsets of a zone in 2026, written independently: standard time, and the moments of the changes.
struct Rules {
    name: &'static str,
    standard: i64,
    summer: i64,
    /// The changes in order: the moment, and the offset from then on.
    changes: [(i64, i64); 2],
}

/// Returns the rules, from a paper calendar of 2026: the changes are on the last or the first Sundays.
fn rules() -> [Rules; 3] {
    let hour = 60 * MINUTE;
    let at = |text: &str| seconds(text.parse().unwrap());
    [
        Rules {
            name: "Europe/Berlin",
            standard: hour,
            summer: 2 * hour,
            // 29 March, 2:00 to 3:00; 25 October, 3:00 to 2:00.
            changes: [
                (at("2026-03-29T01:00"), 2 * hour),
                (at("2026-10-25T01:00"), hour),
            ],
        },
        Rules {
            name: "America/New_York",
            standard: -5 * hour,
            summer: -4 * hour,
            // 8 March, 2:00 to 3:00; 1 November, 2:00 to 1:00.
            changes: [
                (at("2026-03-08T07:00"), -4 * hour),
                (at("2026-11-01T06:00"), -5 * hour),
            ],
        },
        Rules {
            name: "Australia/Lord_Howe",
            standard: 10 * hour + hour / 2,
            summer: 11 * hour,
            // 5 April, 2:00 to 1:30; 4 October, 2:00 to 2:30.
            changes: [
                (at("2026-04-04T15:00"), 10 * hour + hour / 2),
                (at("2026-10-03T15:30"), 11 * hour),
            ],
        },
    ]
}

impl Rules {
    /// Returns the minutes of a stretch, each with its wall-clock time.
    fn minutes(&self, from: i64, to: i64) -> Vec<(i64, i64)> {
        let all = (0..=(to - from) / MINUTE).map(|minute| from + minute * MINUTE);
        all.map(|time| (time, time + self.offset(time))).collect()
    }

    fn offset(&self, time: i64) -> i64 {
        let [(first, then), (second, last)] = self.changes;
        if time >= second {
            last
        } else if time >= first {
            then
        } else if then == self.summer {
            self.standard
        } else {
            self.summer
        }
    }
}

/// A cron expression, parsed independently.
struct Fields {
    /// For each minute of a day, whether it matches.
    of_day: Vec<bool>,
    days: Vec<bool>,
    months: Vec<bool>,
    weekdays: Vec<bool>,
    either_day: bool,
    follows_the_clock: bool,
}

impl Fields {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let [minutes, hours, days, months, weekdays] = fields.as_slice() else {
            panic!("{text}");
        };
        let mut on = field(weekdays, 0, 7);
        on[0] |= on[7];
        let (of_hour, hour) = (field(minutes, 0, 59), field(hours, 0, 23));
        let of_day = (0..24 * 60).map(|minute| of_hour[minute % 60] && hour[minute / 60]);
        Self {
            of_day: of_day.collect(),
            days: field(days, 1, 31),
            months: field(months, 1, 12),
            weekdays: on,
            either_day: *days != "*" && *weekdays != "*",
            // `croner` knows one minute of one hour as a fixed time.
            follows_the_clock: minutes.parse::<u8>().is_err() || hours.parse::<u8>().is_err(),
        }
    }

    /// Returns whether a wall-clock minute matches, given as seconds since 1970 on that clock.
    fn matches(&self, civil: i64) -> bool {
        if !self.of_day[index(civil.rem_euclid(DAY) / MINUTE)] {
            return false;
        }
        let (month, day) = date(civil.div_euclid(DAY));
        // 1 January 1970 was a Thursday.
        let weekday = (civil.div_euclid(DAY) + 4).rem_euclid(7);
        let (day, weekday) = (self.days[index(day)], self.weekdays[index(weekday)]);
        let is_day = if self.either_day {
            day || weekday
        } else {
            day && weekday
        };
        self.months[index(month)] && is_day
    }

    /// Returns every time of the year, by a check of each minute.
    fn times(&self, minutes: &[(i64, i64)]) -> Vec<i64> {
        let mut times = Vec::new();
        // The latest minute that the clock has shown so far.
        let mut shown = minutes[0].1;
        for &(time, civil) in &minutes[1..] {
            let runs = if self.follows_the_clock || civil == shown + MINUTE {
                self.matches(civil)
            } else {
                // The clock jumped: forward, or back to a time that it has already shown.
                civil > shown && (self.matches(civil) || self.matches_between(shown, civil))
            };
            if runs {
                times.push(time);
            }
            shown = shown.max(civil);
        }
        times
    }

    /// Returns whether a minute that the clock skipped matches.
    fn matches_between(&self, shown: i64, civil: i64) -> bool {
        let skipped = (civil - shown) / MINUTE - 1;
        (1..=skipped).any(|minute| self.matches(shown + minute * MINUTE))
    }
}

fn field(text: &str, first: usize, last: usize) -> Vec<bool> {
    let mut on = vec![false; last + 1];
    for part in text.split(',') {
        let (range, step) = part.split_once('/').unwrap_or((part, "1"));
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (first, last),
            Some((from, to)) => (from.parse().unwrap(), to.parse().unwrap()),
            None => (range.parse().unwrap(), range.parse().unwrap()),
        };
        for n in (from..=to).step_by(step.parse().unwrap()) {
            on[n] = true;
        }
    }
    on
}

/// Returns the month and day of a day since 1970, which is in or near 2026.
fn date(day: i64) -> (i64, i64) {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut of_year =
        (day - seconds(DateTime::constant(YEAR, 1, 1, 0, 0, 0, 0)) / DAY).rem_euclid(365);
    for (month, length) in (1..).zip(lengths) {
        if of_year < length {
            return (month, of_year + 1);
        }
        of_year -= length;
    }
    unreachable!("a year has twelve months")
}

fn index(n: i64) -> usize {
    usize::try_from(n).unwrap()
}

/// Returns the seconds since 1970 of a civil time, taken as UTC.
fn seconds(civil: DateTime) -> i64 {
    let utc = civil.to_zoned(jiff::tz::TimeZone::UTC).unwrap();
    utc.timestamp().as_second()
}

/// Returns the stretches in which the daemon is down, sorted and disjoint.
fn stretches(random: &mut Random, from: i64, to: i64) -> Vec<(i64, i64)> {
    let mut all = Vec::new();
    let mut time = from;
    loop {
        time += random.next(12 * DAY) + 600;
        // The maximum varies: some stretches are short, some take days.
        let most = [90, 3_600, 6 * 3_600, 3 * DAY][index(random.next(4))];
        let length = random.next(most) + 1;
        if time + length >= to {
            return all;
        }
        all.push((time, time + length));
        time += length;
    }
}

/// Returns the moment at which a daemon handles a time: a little late, or when it is up again.
fn awake(time: i64, late: i64, down: &[(i64, i64)]) -> i64 {
    let time = time + late;
    let at = down.partition_point(|(_, end)| *end <= time);
    match down.get(at) {
        Some((start, end)) if *start <= time => *end,
        _ => time,
    }
}

fn late(schedule: i64, time: i64) -> i64 {
    Random((schedule ^ time).cast_unsigned()).next(45)
}

/// Returns the events that the policies require.
fn expected(schedule: i64, times: &[i64], down: &[(i64, i64)], to: i64) -> Vec<Done> {
    let mut done = Vec::new();
    let mut at = 0;
    while at < times.len() {
        let now = awake(times[at], late(schedule, times[at]), down);
        if now > to {
            break;
        }
        let end = at + times[at..].partition_point(|time| *time <= now);
        let last = times[end - 1];
        let missed = u32::try_from(end - 1 - at).unwrap().min(MOST_COUNTED);
        done.push((now, last, missed));
        at = end;
    }
    done
}

/// Returns the events of the library.
fn simulated(index: i64, schedule: &Schedule, down: &[(i64, i64)], to: i64) -> Vec<Done> {
    let mut schedule = schedule.clone();
    let mut done = Vec::new();
    loop {
        let Some(next) = schedule.next(schedule.handled) else {
            return done;
        };
        let next = next.as_second();
        let now = awake(next, late(index, next), down);
        if now > to {
            return done;
        }
        let due = schedule.due(Timestamp::from_second(now).unwrap()).unwrap();
        let at = due.at.as_second();
        done.push((now, at, due.missed));
        schedule.handled = due.at;
    }
}

fn text(random: &mut Random, n: i64) -> String {
    let minute = random.next(60);
    match n % 20 {
        0 if n % 40 == 0 => format!("{minute} * * * *"),
        0 => format!("{minute} */3 * * *"),
        1 => "*/20 1-3 * * *".to_owned(),
        2 => "*/30 */6 * * 1".to_owned(),
        3 => format!("{minute} 1-3 * * 0"),
        4 => "0,15,30,45 2 * * *".to_owned(),
        5 => format!("{minute} {} 1,15 * *", random.next(24)),
        6 => format!("{minute} 9 13 * 5"),
        7 => "0 0 29-31 * *".to_owned(),
        8 => "59 23 28 2 *".to_owned(),
        n => {
            let hour = random.of(&["0", "1", "2", "3", "9", "17", "23", "2,14", "1-3"]);
            let days = random.of(&["*", "*", "*", "1-5", "0", "6,7", "1-5/2"]);
            let minute = if n < 15 { minute / 15 * 15 } else { minute };
            format!("{minute} {hour} * * {days}")
        }
    }
}

/// One schedule of the year.
struct Case {
    n: i64,
    text: String,
    schedule: Schedule,
}

/// The year, with the stretches without a daemon.
struct Year {
    /// The minutes of each zone.
    minutes: [Vec<(i64, i64)>; 3],
    down: Vec<(i64, i64)>,
    to: i64,
}

impl Year {
    /// Compares one schedule. Returns the numbers of runs and of times without a run.
    fn compare(&self, case: &Case) -> [usize; 2] {
        let Case { n, text, schedule } = case;
        let times = Fields::read(text).times(&self.minutes[index(n % 3)]);
        let expected = expected(*n, &times, &self.down, self.to);
        let done = simulated(*n, schedule, &self.down, self.to);
        let differ = expected
            .iter()
            .zip(&done)
            .find(|(expected, done)| expected != done);
        assert_eq!(differ, None, "{text}, schedule {n}");
        assert_eq!(expected.len(), done.len(), "{text}, schedule {n}");
        let missed = done.iter().map(|(_, _, missed)| *missed as usize);
        [done.len(), missed.sum()]
    }
}

#[test]
fn a_year_is_as_the_calendar_has_it() {
    let folder = crate::folder();
    let path = |name: &str| folder.path().join(name);
    let data = DataFolder::new(path("data"));
    let scheduler = Scheduler::new(path("scheduler"), path("runs"), data, Options::DEFAULT);
    let from = seconds("2026-01-01T00:00".parse().unwrap());
    let to = from + 365 * DAY - 2 * DAY;
    let start = Timestamp::from_second(from).unwrap();
    let rules = rules();
    let mut random = Random(7);
    let year = Year {
        down: stretches(&mut random, from, to),
        minutes: rules.each_ref().map(|rules| rules.minutes(from, to)),
        to,
    };
    let case = |n: i64| {
        let text = text(&mut random, n);
        let zone = Zone::named(rules[index(n % 3)].name).unwrap();
        let new = ScheduleWords {
            task: Some("Do it."),
            time: Some(TimeWords::Cron(&text)),
            zone: Some(&zone),
            limit: None,
            ..ScheduleWords::default()
        };
        let schedule = scheduler.add(&format!("s{n}"), &new, start).unwrap();
        Case { n, text, schedule }
    };
    let cases: Vec<Case> = (0..SCHEDULES).map(case).collect();
    let mut counts = [0; 2];
    thread::scope(|scope| {
        let year = &year;
        let part = |cases: &'_ [Case]| cases.iter().map(|case| year.compare(case)).collect();
        let parts = cases.chunks(cases.len() / 4);
        let parts: Vec<_> = parts
            .map(|cases| scope.spawn(move || -> Vec<[usize; 2]> { part(cases) }))
            .collect();
        for done in parts.into_iter().flat_map(|part| part.join().unwrap()) {
            for (count, more) in counts.iter_mut().zip(done) {
                *count += more;
            }
        }
    });
    // The year is not empty: 143,944 runs, 5,943 missed times.
    let [runs, missed] = counts;
    assert!(runs > 140_000 && missed > 5_000, "{counts:?}");
}

/// The behaviour of `0 0 * * *` and similar expressions at the changes, spelled out.
#[test]
fn the_clock_jumps() {
    let first = |text: &str, zone: &str, after: &str, count: usize| -> Vec<String> {
        let folder = crate::folder();
        let path = |name: &str| folder.path().join(name);
        let data = DataFolder::new(path("data"));
        let scheduler = Scheduler::new(path("scheduler"), path("runs"), data, Options::DEFAULT);
        let zone = Zone::named(zone).unwrap();
        let new = ScheduleWords {
            task: Some("Do it."),
            time: Some(if text.contains(' ') {
                TimeWords::Cron(text)
            } else {
                TimeWords::At(text)
            }),
            zone: Some(&zone),
            limit: None,
            ..ScheduleWords::default()
        };
        let now: Timestamp = after.parse().unwrap();
        let schedule = scheduler.add("a", &new, now).unwrap();
        let next = |time: &Timestamp| schedule.next(*time);
        let all = std::iter::successors(schedule.next(now), next);
        all.take(count).map(|time| zone.shown(time)).collect()
    };
    let berlin = |text: &str, after: &str, count| first(text, "Europe/Berlin", after, count);
    // A skipped fixed time runs at the first moment after the jump.
    assert_eq!(
        berlin("30 2 * * *", "2026-03-28T12:00:00Z", 2),
        ["2026-03-29 03:00 +02:00", "2026-03-30 02:30 +02:00"]
    );
    assert_eq!(
        berlin("2026-03-29T02:30", "2026-03-28T12:00:00Z", 1),
        ["2026-03-29 03:30 +02:00"]
    );
    // A repeated fixed time runs once.
    assert_eq!(
        berlin("30 2 * * *", "2026-10-24T12:00:00Z", 2),
        ["2026-10-25 02:30 +02:00", "2026-10-26 02:30 +01:00"]
    );
    assert_eq!(
        berlin("2026-10-25T02:30", "2026-10-24T12:00:00Z", 1),
        ["2026-10-25 02:30 +02:00"]
    );
    // An interval follows the clock.
    assert_eq!(
        berlin("30 * * * *", "2026-10-25T00:00:00Z", 3),
        [
            "2026-10-25 02:30 +02:00",
            "2026-10-25 02:30 +01:00",
            "2026-10-25 03:30 +01:00"
        ]
    );
    assert_eq!(
        berlin("30 * * * *", "2026-03-29T00:00:00Z", 2),
        ["2026-03-29 01:30 +01:00", "2026-03-29 03:30 +02:00"]
    );
    // Two times in the jump are one run.
    assert_eq!(
        berlin("0,30 2,3 * * *", "2026-03-29T00:00:00Z", 2),
        ["2026-03-29 03:00 +02:00", "2026-03-29 03:30 +02:00"]
    );
    // A jump at midnight.
    assert_eq!(
        first("15 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z", 1),
        ["2026-04-24 01:00 +03:00"]
    );
    assert_eq!(
        first("2028-02-29T09:00", "UTC", "2026-01-01T00:00:00Z", 1),
        ["2028-02-29 09:00 +00:00"]
    );
}
