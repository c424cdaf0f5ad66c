//! The skills of a bundle for a page.

use crate::page::{PageBundle, PageSkill};
use crate::repository::Repository;
use crate::repository::bundle::Bundle;
use skills_format::{Contents, OpenAiFile, SkillFile, SkillFiles, estimate_tokens, is_no_part};
use skills_lint::powers_of_files;
use std::collections::BTreeSet;

impl Repository {
    /// Gathers the checked skills of a bundle for a page.
    ///
    /// # Cost
    ///
    /// Reads every file of the skills.
    pub fn page_bundle(&self, bundle: &Bundle) -> PageBundle {
        let contents = Contents::All {
            max: u64::MAX,
            limits: bundle.config.limits,
        };
        let tree = bundle.tree.filled(&self.folder, contents);
        let mut page = PageBundle::new(&*bundle.name);
        for files in tree.skills_of_any_case() {
            if bundle.checks(files.dir) {
                page.skills.push(self.page_skill(&files));
            }
        }
        page.skills
            .sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        page
    }

    fn page_skill(&self, files: &SkillFiles<'_>) -> PageSkill {
        let folder = match files.dir.rsplit('/').next() {
            None | Some("") => &self.start.name,
            Some(folder) => folder,
        };
        let location = self.shown(&files.file.path);
        let bytes = files.file.bytes.as_deref().unwrap_or_default();
        let openai = OpenAiFile::of_tree(&self.start.shown, files.dir, files.files);
        let file = SkillFile::read(location, folder, bytes).with_openai(openai);
        let strict = file.strict();
        let is_broken = strict.is_none();
        let skill = strict.or_else(|| file.lenient().0);
        let mut shown = PageSkill::new(&*file.folder, "");
        if let Some(skill) = &skill {
            shown = PageSkill::new(skill.name.to_string(), &*skill.description);
            let when_to_use = skill.fields.when_to_use.as_deref();
            when_to_use.unwrap_or("").clone_into(&mut shown.when_to_use);
            shown.is_for_people_alone = skill.fields.disable_model_invocation;
            shown.tokens = Some(estimate_tokens(&skill.body));
        }
        shown.is_broken = is_broken;
        shown.location.clone_from(&file.path);
        let path = self.shown(files.dir);
        shown.path = Some(if path.is_empty() {
            ".".to_owned()
        } else {
            path
        });
        let own = files.files.iter().filter(|file| {
            let inside = file.path.strip_prefix(files.dir);
            inside.is_some_and(|path| !is_no_part(path.trim_start_matches('/')))
        });
        shown.files = Some(own.fold((0, 0), |(count, size), file| (count + 1, size + file.size)));
        if files.files.iter().all(|file| file.bytes.is_some()) {
            shown.powers = Some(powers_of_files(files.dir, files.files, &BTreeSet::new()));
        }
        shown
    }
}
