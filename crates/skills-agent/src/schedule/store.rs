//! The file `schedules.json`.

use crate::schedule::entry::Schedule;
use serde::Deserialize as _;
use serde_json::{Map, Value};
use skills_store::json_file::{JsonFile, Record};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;

/// The name of the file, which is beside the folder of the scheduled skills.
pub const SCHEDULES: &str = "schedules.json";

/// The file of the schedules: `{"version": 1, "schedules": [{"name": …, "cron": …}]}`. Unknown fields are kept.
pub type ScheduleFile = JsonFile<Schedules>;

/// All schedules, by name.
#[derive(Clone, Debug, Default)]
pub struct Schedules(pub BTreeMap<String, Schedule>);

impl Record for Schedules {
    const MAX: u64 = 16 * 1024 * 1024;
    const EFFECT: &'static str = "no schedule runs";

    fn read(members: &Map<String, Value>) -> Result<Self, String> {
        parse(members)
    }

    fn write(&self, members: &mut Map<String, Value>) -> Result<(), Error> {
        let all: Vec<&Schedule> = self.0.values().collect();
        let all = serde_json::to_value(all)
            .map_err(|error| Error::new(ErrorKind::Damaged, error.to_string()))?;
        members.insert("schedules".to_owned(), all);
        Ok(())
    }
}

fn parse(object: &Map<String, Value>) -> Result<Schedules, String> {
    let Some(all) = object.get("schedules") else {
        return Ok(Schedules::default());
    };
    let all = all.as_array().ok_or("schedules: it is not a list")?;
    let mut schedules = BTreeMap::new();
    for (at, one) in all.iter().enumerate() {
        let schedule = Schedule::deserialize(one);
        let schedule = schedule.map_err(|error| format!("schedules[{at}]: {error}"))?;
        if let Some(twin) = schedules.insert(schedule.name.clone(), schedule) {
            return Err(format!("two schedules are named `{}`", twin.name));
        }
    }
    Ok(Schedules(schedules))
}
