//! `skills list --everywhere`: the skills in the folders of every client on this machine.

use crate::catalog::everywhere::{Everywhere, VersionJson, clients, state};
use crate::commands::list::selection::Selection;
use crate::outcome::{Failure, Outcome};
use crate::output::screen::{STATE_GOOD, WARNING};
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use clap::builder::styling::Style;
use serde::Serialize;
use skills_clients::reading::Tier;
use skills_format::{command, prose};
use skills_host::places::{Version, VersionState};
use std::path::Path;

/// `list --everywhere --format json`
#[derive(Serialize)]
struct EverywhereDocument<'e> {
    clients: Vec<ClientJson<'e>>,
    places: Vec<PlaceJson<'e>>,
    skills: Vec<VersionJson<'e>>,
}

#[derive(Serialize)]
struct ClientJson<'e> {
    name: &'e str,
    title: &'e str,
    /// The folder by which the client was found.
    found: String,
    /// False if only a project has a folder of the client.
    used: bool,
}

#[derive(Serialize)]
struct PlaceJson<'e> {
    folder: String,
    owner: &'static str,
    /// The other names that lead to the folder.
    links: Vec<String>,
    /// The clients that read the folder.
    clients: &'e [&'static str],
}

/// Prints the skills of every client.
pub(crate) fn list(selection: &Selection, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let everywhere = Everywhere::read(cx);
    let all = everywhere.survey.versions.iter();
    let versions: Vec<&Version> = all
        .filter(|version| selection.has_name(&version.name))
        .collect();
    if cx.is_json {
        document(&everywhere, &versions, cx)?;
        return Ok(Outcome::Done);
    }
    table(&versions, cx)?;
    summary(&everywhere, &versions, cx);
    Ok(Outcome::Done)
}

fn table(versions: &[&Version], cx: &mut Ctx) -> Result<(), Failure> {
    if versions.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(["SKILL", "CLIENTS", "STATE", "PLACES"]).styled(2, style);
    for version in versions {
        // The client `default` stands for the shared folders: it is named where no other client reads the skill.
        let mut names = clients(version);
        if names.len() > 1 {
            names.retain(|name| *name != "default");
        }
        let names = match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        let copies = version.copies.iter();
        let copies = copies.map(|copy| {
            let above = copy.path.parent().unwrap_or(&copy.path);
            cx.env.shown(above)
        });
        table.push([
            one_line(&version.name),
            names,
            state(version),
            one_line(&copies.collect::<Vec<_>>().join(", ")),
        ]);
    }
    table.print(cx)
}

fn style(state: &str) -> Style {
    let is_good = ["same", "only here"].contains(&state);
    if is_good { STATE_GOOD } else { WARNING }
}

fn summary(everywhere: &Everywhere, versions: &[&Version], cx: &mut Ctx) {
    let mut names: Vec<&str> = versions.iter().map(|it| it.name.as_str()).collect();
    names.dedup();
    let places = counted(everywhere.survey.places.len(), "folder");
    cx.note(format!("{} in {places}", counted(names.len(), "skill")));
    for copy in versions.iter().flat_map(|version| &version.copies) {
        if let Some(fault) = &copy.fault {
            cx.warning(fault.clone());
        }
    }
    report_differing(versions, cx);
}

/// Names the command that shows how the versions of a name differ.
pub(crate) fn report_differing(versions: &[&Version], cx: &mut Ctx) {
    /// The maximum number of names that are reported one by one.
    const MOST: usize = 5;
    let groups = versions.chunk_by(|a, b| a.name == b.name);
    let groups = groups.filter(|group| group.len() > 1);
    let groups: Vec<_> = groups.collect();
    for group in groups.iter().take(MOST) {
        let paths = group.iter().filter_map(|version| {
            let is_readable = version.state != VersionState::Unreadable;
            version.copies.first().filter(|_| is_readable)
        });
        let paths: Vec<&Path> = paths.map(|copy| copy.path.as_path()).collect();
        let (Some(first), [one, other, ..]) = (group.first(), paths.as_slice()) else {
            continue;
        };
        let newest = group.iter().find(|version| version.is_newest);
        let newest = newest.and_then(|version| version.copies.first());
        let newest = newest.map_or_else(
            || "their last changes are of one time".to_owned(),
            |copy| format!("{} was changed last", cx.env.shown(&copy.path)),
        );
        let diff = command("diff")
            .short_path(&cx.env.shown(one))
            .short_path(&cx.env.shown(other));
        cx.hint(prose!(
            "{} has {}: {}; {} shows what differs",
            one_line(&first.name),
            counted(group.len(), "version"),
            one_line(&newest),
            diff
        ));
    }
    if let more @ 1.. = groups.len().saturating_sub(MOST) {
        cx.note(format!("{more} more skills have several versions"));
    }
}

fn document(everywhere: &Everywhere, versions: &[&Version], cx: &mut Ctx) -> Result<(), Failure> {
    let clients = everywhere.clients.iter().map(|found| ClientJson {
        name: &found.agent.client.name,
        title: &found.agent.client.title,
        found: cx.env.documented(&found.by),
        used: found.is_used,
    });
    let places = everywhere.survey.places.iter().map(|place| PlaceJson {
        folder: cx.env.documented(&place.folder),
        owner: match place.tier {
            Tier::Project => "project",
            Tier::Person => "person",
        },
        links: place
            .links
            .iter()
            .map(|link| cx.env.documented(link))
            .collect(),
        clients: &place.clients,
    });
    let skills = versions.iter();
    cx.json(&EverywhereDocument {
        clients: clients.collect(),
        places: places.collect(),
        skills: skills
            .map(|version| VersionJson::new(version, everywhere, cx.env))
            .collect(),
    })
}
