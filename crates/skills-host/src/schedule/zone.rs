//! Time zones.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use skills_store::{Error, ErrorKind};

/// A time zone of the IANA database, such as `Europe/Berlin` or `UTC`.
///
/// The tables of the system are used. If the system has none, the tables in this program are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    name: String,
    zone: TimeZone,
}

impl Zone {
    /// Finds a zone by name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the name is unknown.
    pub fn named(name: &str) -> Result<Self, Error> {
        // Files of the zone database that mean another zone on each machine, but the name is written down.
        let mut of_machine = ["localtime", "posixrules"].iter();
        let is_of_machine = of_machine.any(|own| own.eq_ignore_ascii_case(name));
        let zone = TimeZone::get(name)
            .ok()
            .filter(|zone| !zone.is_unknown() && !is_of_machine);
        let Some(zone) = zone else {
            let message = format!("there is no time zone '{}'", name.escape_debug());
            return Err(Error::new(ErrorKind::Usage, message)
                .help("write a name such as --timezone Europe/Berlin or --timezone UTC"));
        };
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Ok(Self { name, zone })
    }

    /// Returns UTC.
    pub fn utc() -> Self {
        Self {
            name: "UTC".to_owned(),
            zone: TimeZone::UTC,
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Formats a time in this zone: `2026-01-02 09:00 +01:00`. Seconds are written unless they are zero.
    pub fn shown(&self, time: Timestamp) -> String {
        let here = time.to_zoned(self.zone.clone());
        let form = if here.second() == 0 {
            "%Y-%m-%d %H:%M %:z"
        } else {
            "%Y-%m-%d %H:%M:%S %:z"
        };
        here.strftime(form).to_string()
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.zone
    }
}
