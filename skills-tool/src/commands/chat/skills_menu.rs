//! `/skills`: the menu of the skills. Each action is a command of this program.

use crate::catalog::find;
use crate::catalog::installed::InstalledIndex;
use crate::catalog::skill::state;
use crate::commands::chat::choices::Choices;
use crate::commands::chat::console::Console;
use crate::commands::chat::host::{Host, parsed, report, restore};
use crate::commands::install::Install;
use crate::commands::install::remove::Uninstall;
use crate::commands::show::text::{instructions, summary};
use crate::outcome::Failure;
use crate::output::{Output, one_line};
use skills_runtime::catalog::Location;
use skills_runtime::source::SkillTrust;
use skills_runtime::{Catalog, Entry};
use std::io::Write as _;

/// The menu, until a person leaves it.
pub(crate) fn open(
    host: &mut Host<'_>,
    console: &mut dyn Console,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut menu = Choices::new("Skills", "Choose an action");
    menu.push("List skills", "Tip: press $ to open this list directly.");
    menu.push("Install skill", "Install from local path or git URL.");
    menu.push("Uninstall skill", "Remove an installed skill.");
    while let Some(chosen) = console.choose(&menu, output) {
        menu.start = chosen;
        let done = match chosen {
            0 => list(host, console, output),
            1 => install(host, console, output),
            _ => uninstall(host, console, output),
        };
        report(done, output)?;
    }
    Ok(())
}

fn list(
    host: &mut Host<'_>,
    console: &mut dyn Console,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut start = 0;
    loop {
        let catalog = host.catalog();
        let plugins = host.options.profile().mentions.plugins;
        let mut menu = Choices::new("Skills", "Choose a skill");
        menu.start = start;
        for entry in &catalog {
            let note = match state(&entry, plugins).as_str() {
                "enabled" => entry.description().to_owned(),
                state => format!("({state}) {}", entry.description()),
            };
            menu.push(&entry.id_under(plugins), &note);
        }
        if menu.len() == 0 {
            output.note("there is no skill; `2. Install skill` installs one");
            return Ok(());
        }
        let Some(chosen) = console.choose(&menu, output) else {
            return Ok(());
        };
        start = chosen;
        let Some(id) = catalog.iter().nth(chosen).map(|entry| entry.qualified_id()) else {
            return Ok(());
        };
        one(&id, host, console, output)?;
    }
}

/// What can be done with a skill.
#[derive(Clone, Copy)]
enum Action {
    Instructions,
    Enable,
    Disable,
    Difference,
    Trust,
}

/// Shows a skill, and what can be done with it, until a person leaves it.
fn one(
    id: &str,
    host: &mut Host<'_>,
    console: &mut dyn Console,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut is_first = true;
    loop {
        let catalog = host.catalog();
        let entry = match find::find(&catalog, id) {
            Ok(entry) => entry,
            // It was removed meanwhile.
            Err(failure) => return report(Err(failure), output),
        };
        if std::mem::take(&mut is_first) {
            let shown = print(&entry, &catalog, host, output);
            report(shown, output)?;
        }
        let actions = actions(&entry);
        let plugins = host.options.profile().mentions.plugins;
        let mut menu = Choices::new(&entry.id_under(plugins), "Choose an action");
        for (_, label, note) in &actions {
            menu.push(label, note);
        }
        let Some(chosen) = console.choose(&menu, output) else {
            return Ok(());
        };
        let Some((action, ..)) = actions.get(chosen) else {
            return Ok(());
        };
        let done = match action {
            Action::Instructions => instructions(&entry, output),
            Action::Enable => host.enable(id, output),
            Action::Disable => host.disable(id, output),
            Action::Difference => host.difference(id, output),
            Action::Trust => host.trust(id, output),
        };
        report(done, output)?;
    }
}

fn actions(entry: &Entry<'_>) -> Vec<(Action, &'static str, &'static str)> {
    let mut actions = vec![(
        Action::Instructions,
        "Show instructions",
        "Print what a model reads.",
    )];
    if entry.is_enabled() {
        let note = "It stays listed, and is not started.";
        actions.push((Action::Disable, "Disable skill", note));
    } else {
        actions.push((Action::Enable, "Enable skill", "It can be started again."));
    }
    if entry.trust() == SkillTrust::Changed {
        let note = "Print what changed since it was trusted.";
        actions.push((Action::Difference, "Show difference", note));
    }
    if !entry.is_trusted() {
        let note = "Trust it as it is now.";
        actions.push((Action::Trust, "Trust skill", note));
    }
    actions
}

fn print(
    entry: &Entry<'_>,
    catalog: &Catalog,
    host: &Host<'_>,
    output: &mut Output,
) -> Result<(), Failure> {
    let plugins = host.options.profile().mentions.plugins;
    let installed = InstalledIndex::new(catalog, host.environment, output);
    summary(entry, plugins, &installed, host.environment, output)
}

fn install(
    host: &mut Host<'_>,
    console: &mut dyn Console,
    output: &mut Output,
) -> Result<(), Failure> {
    let source = console.ask("Path or git URL:", output);
    let source = source.as_deref().unwrap_or_default().trim();
    if source.is_empty() {
        output.note("nothing is installed");
        return Ok(());
    }
    let target = host.target();
    let mut words = vec!["install"];
    words.extend(target.iter().map(String::as_str));
    words.extend(["--", source]);
    let command: Install = parsed(&words)?;
    host.changing(output, |environment, output| {
        command.run(environment, output)
    })
}

fn uninstall(
    host: &mut Host<'_>,
    console: &mut dyn Console,
    output: &mut Output,
) -> Result<(), Failure> {
    let catalog = host.catalog();
    let installed = InstalledIndex::new(&catalog, host.environment, output);
    let mut menu = Choices::new("Uninstall skill", "Choose a skill");
    let mut skills = Vec::new();
    for entry in catalog
        .iter()
        .filter(|entry| installed.get(entry).is_some())
    {
        if let Location::Folder(folder) = entry.location()
            && let (Some(name), Some(above)) = (folder.file_name(), folder.parent())
        {
            menu.push(&entry.id(), &host.environment.shown(above));
            let name = name.to_string_lossy().into_owned();
            skills.push((name, above.to_string_lossy().into_owned()));
        }
    }
    if menu.len() == 0 {
        output
            .note("no skill here was installed: a folder that was made by hand is removed by hand");
        return Ok(());
    }
    let Some((name, folder)) = console.choose(&menu, output).and_then(|at| skills.get(at)) else {
        return Ok(());
    };
    let words = ["uninstall", "--to", folder, "--", name];
    let command: Uninstall = parsed(&words)?;
    host.changing(output, |environment, output| {
        command.run(environment, output)
    })?;
    let name = one_line(name);
    writeln!(
        output,
        "{name} is in the trash; in a shell, {} brings it back",
        restore(&name, folder)
    )?;
    Ok(())
}
