//! `skills enable` and `skills disable`: changes of the state file.

use crate::catalog::find;
use crate::catalog::options::{CatalogOptions, profiles};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use serde_json::json;
use skills_profiles::Profile;
use skills_runtime::Catalog;
use skills_store::{Disabled as DisabledSkills, StateFile};
use std::collections::BTreeSet;
use std::io::Write as _;

/// The arguments of both commands.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills disable code-review\n  skills enable user:code-review release-notes"
)]
pub(crate) struct Switch {
    /// The skills, by name (in every source) or as SOURCE:NAME
    #[arg(value_name = "ID", required = true, value_parser = find::given)]
    ids: Vec<String>,
    #[command(flatten)]
    format: FormatOption,
    /// The profile in which to look up the names, such as claude-code. The change applies to every profile
    #[arg(short, long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<&'static Profile>,
}

impl Switch {
    /// Enables skills, and reports the ids that stay disabled. With an unknown id, no skill is enabled.
    pub(crate) fn enable(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let (catalog, file) = self.opened(cx)?;
        let mut state = file.read()?.value;
        // On a copy first: nothing is stored when an id is unknown.
        let mut all: Vec<(Vec<String>, Vec<String>, String)> = Vec::new();
        for id in &self.ids {
            let id = self.meant(&catalog, id, cx.env);
            if all.iter().any(|(.., known)| *known == id) {
                continue;
            }
            let before = state.clone();
            let enabled = state.enable(&catalog, &id);
            let enabled = enabled.ok_or_else(|| find::unknown(&catalog, &id))?;
            // Skills of other sources: the bare name had disabled them too, and they stay disabled.
            let kept: Vec<String> = state.ids.difference(&before.ids).cloned().collect();
            all.push((enabled, kept, id));
        }
        if all.iter().any(|(enabled, ..)| !enabled.is_empty()) {
            file.update(|state| {
                for (.., id) in &all {
                    // Again on the stored state, which another program may have changed since the read.
                    state.enable(&catalog, id);
                }
            })?;
        }
        let document = json!({
            // The ids that were disabled and are enabled now, and those that stay disabled.
            "enabled": all.iter().flat_map(|(enabled, ..)| enabled).collect::<Vec<_>>(),
            "kept": all.iter().flat_map(|(_, kept, _)| kept).collect::<Vec<_>>(),
        });
        cx.report(&document)?;
        for (enabled, kept, id) in &all {
            let stay = if kept.len() == 1 { "stays" } else { "stay" };
            match (enabled.join(", "), kept.join(", ")) {
                _ if enabled.is_empty() => writeln!(cx, "{id} is enabled")?,
                (enabled, kept) if kept.is_empty() => writeln!(cx, "enabled {enabled}")?,
                (enabled, kept) => writeln!(cx, "enabled {enabled}; {kept} {stay} disabled")?,
            }
        }
        Ok(Outcome::Done)
    }

    /// Disables skills. With an unknown id, no skill is disabled.
    pub(crate) fn disable(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let (catalog, file) = self.opened(cx)?;
        let known = |id: &String| {
            let id = self.meant(&catalog, id, cx.env);
            let known = DisabledSkills::default().disable(&catalog, &id);
            known.ok_or(id)
        };
        let disabled: Result<Vec<_>, _> = self.ids.iter().map(known).collect();
        let mut disabled = disabled.map_err(|id| find::unknown(&catalog, &id))?;
        let mut seen = BTreeSet::new();
        disabled.retain(|id| seen.insert(id.clone()));
        let before = file.read()?.value.ids;
        file.update(|state| state.ids.extend(disabled.iter().cloned()))?;
        cx.report(&json!({ "disabled": disabled }))?;
        for id in &disabled {
            if before.contains(id) {
                writeln!(cx, "{id} is disabled")?;
            } else {
                writeln!(cx, "disabled {id}")?;
            }
            // Codex lists several skills of one name.
            let same = catalog.iter().filter(|entry| entry.to_string() == *id);
            if let several @ 2.. = same.count() {
                cx.note(format!("all {several} skills called {id} are disabled"));
            }
        }
        let is_new = |id: &str| !before.contains(id) && disabled.iter().any(|new| new == id);
        let entries = catalog.iter();
        let entries = entries.filter(|entry| is_new(entry.name()) || is_new(&entry.to_string()));
        let folders = entries.filter_map(|entry| Some(entry.folder()?.parent()?.to_owned()));
        let readers = cx.env.readers(folders).unwrap_or_default();
        if !readers.is_empty() && !cx.is_in_prompt() {
            cx.note(format!(
                "disabled in `skills` (chat, mcp, schedule) and programs built on its library; still used by {readers} until it is uninstalled"
            ));
        }
        Ok(Outcome::Done)
    }

    /// Returns the id that an argument means.
    fn meant(&self, catalog: &Catalog, id: &str, env: &Environment) -> String {
        let id = find::whole(catalog, id, env);
        find::meant(catalog, &id, CatalogOptions::of(self.profile).profile())
    }

    /// Opens the state file and loads the catalog. A file that cannot be changed is a failure.
    fn opened(&self, cx: &mut Ctx) -> Result<(Catalog, StateFile), Failure> {
        let file = cx.env.state_file()?;
        file.check()?;
        let named: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        // Those of the program can be disabled too.
        let options = CatalogOptions::of(self.profile).with_bundled();
        let catalog = options.catalog(&named, cx)?;
        Ok((catalog, file))
    }
}
