//! `/skills`: the menu of the skills. Each action is a request of `/skill`, or a command of this program.

use crate::catalog::find;
use crate::catalog::skill::InstalledIndex;
use crate::catalog::skill::{has_changed, state};
use crate::commands::chat::choices::Choices;
use crate::commands::chat::console::Console;
use crate::commands::chat::host::{Host, parsed, report};
use crate::commands::chat::turn;
use crate::commands::install::Install;
use crate::commands::install::restore::Restore;
use crate::commands::install::target::holds_installed;
use crate::commands::install::update::Uninstall;
use crate::commands::show::{instructions, summary};
use crate::input::{agreed, asked};
use crate::outcome::Failure;
use crate::output::{Ctx, one_line};
use skills_format::text::path::PathText as _;
use skills_format::{command, prose};
use skills_runtime::Skill;
use skills_session::resolve::Request;
use std::path::PathBuf;

/// Shows the menu until the person leaves it.
pub(crate) fn open(host: &mut Host<'_>, console: &mut Console, cx: &mut Ctx) {
    let mut menu = Choices::new("Skills", "Choose an action");
    let has_mentions = host.options.profile().options.mentions;
    menu.push(
        "List skills",
        if has_mentions {
            "Tip: press $ to open this list directly."
        } else {
            "Show each skill, enable or disable it."
        },
    );
    menu.push("Install skill", "Install from local path or git URL.");
    menu.push("Uninstall skill", "Remove an installed skill.");
    while let Some(chosen) = console.choose(&menu, cx) {
        menu.start = chosen;
        let done = match chosen {
            0 => list(host, console, cx),
            1 => install_asked(host, cx),
            _ => uninstall_chosen(host, console, cx),
        };
        report(done, cx);
    }
}

fn list(host: &mut Host<'_>, console: &mut Console, cx: &mut Ctx) -> Result<(), Failure> {
    let mut start = 0;
    loop {
        let catalog = host.catalog();
        let mut menu = Choices::new("Skills", "Choose a skill");
        (menu.start, menu.narrows) = (start, true);
        for entry in &catalog {
            let state = match state(&entry, &[]).as_str() {
                "enabled" => String::new(),
                state => state.to_owned(),
            };
            menu.push_with_state(&entry.id(), &state, entry.description());
        }
        if menu.len() == 0 {
            cx.note("there is no skill; `2. Install skill` installs one");
            return Ok(());
        }
        let Some(chosen) = console.choose(&menu, cx) else {
            return Ok(());
        };
        start = chosen;
        let Some(id) = catalog.iter().nth(chosen).map(|entry| entry.to_string()) else {
            return Ok(());
        };
        one(&id, host, console, cx)?;
    }
}

/// Shows a skill and its actions until the person leaves the menu.
fn one(id: &str, host: &mut Host<'_>, console: &mut Console, cx: &mut Ctx) -> Result<(), Failure> {
    let mut is_first = true;
    loop {
        let catalog = host.catalog();
        let entry = match find::find(&catalog, id) {
            Ok(entry) => entry,
            // The skill was removed meanwhile.
            Err(failure) => {
                cx.failure(&failure);
                return Ok(());
            }
        };
        if std::mem::take(&mut is_first) {
            let shown = print(id, host, cx);
            report(shown, cx);
        }
        let mut menu = Choices::new(&entry.id(), "Choose an action");
        let actions = actions(&entry);
        for (label, note) in &actions {
            menu.push(label, note);
        }
        let chosen = console.choose(&menu, cx);
        let Some((action, _)) = chosen.and_then(|at| actions.get(at)) else {
            return Ok(());
        };
        let done = match *action {
            "Show instructions" => instructions(&entry, cx),
            "Show difference" => host.difference(id, cx),
            "Enable skill" => carry_out(Request::Enable { id: id.into() }, host, cx),
            "Disable skill" => carry_out(Request::Disable { id: id.into() }, host, cx),
            _ => carry_out(Request::Trust { id: id.into() }, host, cx),
        };
        report(done, cx);
    }
}

fn carry_out(request: Request, host: &mut Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let notices = host.carry_out(request, cx)?;
    turn::report(&notices, &host.catalog(), cx)
}

/// Returns the actions on a skill, each with a note.
fn actions(entry: &Skill<'_>) -> Vec<(&'static str, &'static str)> {
    let switch = if entry.is_enabled() {
        ("Disable skill", "It stays listed, and is not started.")
    } else {
        ("Enable skill", "It can be started again.")
    };
    let mut actions = vec![("Show instructions", "Print what a model reads."), switch];
    if has_changed(entry) {
        actions.push((
            "Show difference",
            "Print what changed since it was trusted.",
        ));
    }
    if !entry.is_trusted() {
        actions.push(("Trust skill", "Trust it as it is now."));
    }
    actions
}

/// Prints the summary of a skill.
pub(crate) fn print(id: &str, host: &Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let catalog = host.catalog();
    let entry = find::find(&catalog, &host.skill(id))?;
    let installed = InstalledIndex::new(&catalog, cx);
    summary(&entry, &installed, cx)
}

fn install_asked(host: &mut Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let source = asked("Path or git URL:", cx);
    if source.is_empty() {
        cx.note("nothing is installed");
        return Ok(());
    }
    install(&source, host, cx)
}

/// Installs the skills of a source. The command prints its plan and asks the person.
pub(crate) fn install(source: &str, host: &mut Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let source = &*host.env.expanded(source);
    let target = host.target();
    let mut words = vec!["install"];
    words.extend(target.iter().map(String::as_str));
    // After `--`, a source that begins with `-` is not read as an option.
    words.extend(["--", source]);
    let command: Install = parsed(&words)?;
    host.changing(cx, |cx| command.run(cx))
}

/// An installed skill: its id, the name of its folder, and the folder above.
struct Installed {
    id: String,
    name: String,
    folder: PathBuf,
}

fn uninstall_chosen(
    host: &mut Host<'_>,
    console: &mut Console,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let skills = installed(host, cx);
    let mut menu = Choices::new("Uninstall skill", "Choose a skill");
    menu.narrows = true;
    for skill in &skills {
        menu.push(&skill.id, &host.env.shown(&skill.folder));
    }
    if skills.is_empty() {
        cx.note("nothing to uninstall: no skill here came from `install`");
        return Ok(());
    }
    let chosen = console.choose(&menu, cx);
    match chosen.and_then(|at| skills.get(at)) {
        Some(skill) => removed(skill, host, cx),
        None => Ok(()),
    }
}

/// Moves an installed skill to the trash.
pub(crate) fn uninstall(id: &str, host: &mut Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let catalog = host.catalog();
    let id = find::find(&catalog, &host.skill(id))?.id().into_owned();
    let skills = installed(host, cx);
    match skills.iter().find(|skill| skill.id == id) {
        Some(skill) => removed(skill, host, cx),
        None => Err(Failure::not_so(
            format_args!("`skills` did not install '{}'", one_line(&id)),
            "delete the folder yourself",
        )),
    }
}

fn installed(host: &Host<'_>, cx: &mut Ctx) -> Vec<Installed> {
    let catalog = host.catalog();
    let index = InstalledIndex::new(&catalog, cx);
    let profile = host.options.profile();
    let skills = catalog.iter().filter_map(|entry| {
        let folder = entry.folder()?;
        let is_recorded = index.get(&entry).is_some();
        if !is_recorded && !holds_installed(profile, folder, host.env) {
            return None;
        }
        Some(Installed {
            id: entry.id().into_owned(),
            name: folder.file_name()?.to_string_lossy().into_owned(),
            folder: folder.parent()?.to_owned(),
        })
    });
    skills.collect()
}

fn removed(skill: &Installed, host: &mut Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let name = one_line(&skill.name);
    if !agreed(&format!("Move {name} to the trash?"), cx) {
        cx.note("nothing was changed");
        return Ok(());
    }
    let folder = skill.folder.shown();
    let profile = host.options.profile().name.to_string();
    let to = ["--profile", &profile, "--to", &folder];
    let words = [&["uninstall", "--yes"], &to[..], &["--", &skill.name]].concat();
    let uninstall: Uninstall = parsed(&words)?;
    host.changing(cx, |cx| uninstall.run(cx))?;
    let folder = host.env.shown(&skill.folder);
    let restore = command("restore").word(&name).word("--to");
    cx.note(prose!(
        "in a shell, {} brings it back",
        restore.short_path(&folder)
    ));
    Ok(())
}

/// Restores a skill from the trash.
pub(crate) fn restore(name: &str, host: &mut Host<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let target = host.target();
    let mut words = vec!["restore"];
    words.extend(target.iter().map(String::as_str));
    if !name.is_empty() {
        words.extend(["--", name]);
    }
    let command: Restore = parsed(&words)?;
    host.changing(cx, |cx| command.run(cx))
}
