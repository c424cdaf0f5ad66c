use include_dir::File;
use skills_arguments::SchemaFile;
use skills_format::{
    ARGUMENTS_FILE, Contents, Limits, OpenAiFile, Skill, SkillFile, SkillFiles, Tree, join,
};
use skills_runtime::Bundle;
use std::path::Path;

const MANY: Limits = Limits {
    skill_files: usize::MAX,
    skill_bytes: u64::MAX,
    bundle_bytes: u64::MAX,
};
const CONTENTS: Contents = Contents::All {
    max: u64::MAX,
    limits: MANY,
};

/// Asserts that a bundle equals a lenient reading of its folder: every skill, field, file and digest.
pub fn assert_same(bundle: &'static Bundle, folder: &Path) {
    let tree = Tree::read(folder, CONTENTS).expect("the folder is read");
    let found = tree.skills();
    assert_eq!(bundle.iter().count(), found.len());
    for files in found {
        let skill = lenient(&files);
        let baked = bundle
            .get(skill.name.as_str())
            .unwrap_or_else(|| panic!("`{}` is not baked", skill.name));
        assert_skill(baked, &skill, &files);
        for alias in skill.fields.aliases.iter() {
            assert_eq!(bundle.get(alias), Some(baked), "{alias}");
        }
    }
}

fn lenient(files: &SkillFiles<'_>) -> Skill {
    let folder = files.dir.rsplit('/').next().unwrap_or_default();
    let bytes = files.file.bytes.as_deref().expect("it is read");
    let openai = OpenAiFile::of_tree("", files.dir, files.files);
    let file = SkillFile::read(&files.file.path, folder, bytes).with_openai(openai);
    let (skill, _) = file.lenient();
    skill.unwrap_or_else(|| panic!("`{}` is no skill", files.dir))
}

fn assert_skill(baked: skills_runtime::Skill<'static>, skill: &Skill, files: &SkillFiles<'_>) {
    let name = skill.name.as_str();
    assert_eq!(baked.name(), name);
    assert_eq!(baked.dir(), files.dir, "{name}");
    assert_eq!(baked.description(), skill.description, "{name}");
    assert_eq!(baked.body().expect("a body"), skill.body, "{name}");
    assert_eq!(*baked.fields(), skill.fields, "{name}");
    assert_eq!(baked.front_matter(), skill.front_matter_values(), "{name}");
    let schema = files
        .files
        .iter()
        .find(|file| file.path == join(files.dir, ARGUMENTS_FILE));
    let schema = schema
        .and_then(|file| file.bytes.as_deref())
        .map(SchemaFile::read);
    let schema = schema.map(|file| file.schema.ordered(&skill.fields.arguments));
    let typed = baked.typed_arguments().expect("a schema");
    assert_eq!(typed.as_deref(), schema.as_ref(), "{name}");
    let path = |path: &str| {
        let path = path.strip_prefix(files.dir).unwrap_or(path);
        path.trim_start_matches('/').to_owned()
    };
    let read = |path: &str| baked.read(path).expect("a file").into_owned();
    let mut baked_files: Vec<_> = baked
        .files()
        .expect("files")
        .into_iter()
        .map(|file| (file.path.to_string(), read(&file.path)))
        .collect();
    assert_eq!(baked_files[0].0, "SKILL.md", "{name}");
    assert!(
        baked_files[1..].is_sorted_by_key(|(path, _)| path.clone()),
        "{name}"
    );
    baked_files.sort();
    let found: Vec<_> = files
        .files
        .iter()
        .map(|file| {
            let bytes = file.bytes.as_deref().expect("it is read");
            (path(&file.path), bytes.to_vec())
        })
        .collect();
    assert_eq!(baked_files, found, "{name}");
    for (path, bytes) in found.iter().filter(|(path, _)| path != "SKILL.md") {
        let resources = baked.include_dir().expect("it is bundled");
        let file = resources.get_file(path).map(File::contents);
        assert_eq!(file, Some(&**bytes), "{name}: {path}");
    }
}
