//! The baked tables of a bundle.
//!
//! A pointer in a static costs a relocation at every start of the program: 24 bytes in the file and 13
//! instructions. So the tables hold offsets into texts, and indices, wherever possible.

use crate::model::{BundleModel, SkillModel};
use crate::schema::Schema;
use memchr::memmem;
use skills_format::Fields;
use std::collections::BTreeMap;

/// The highest bit of a number. It marks an alias in a key.
pub(crate) const HIGH: u32 = 1 << 31;
/// Stands for the skill of an alias that two skills have.
const NEITHER: u32 = u32::MAX;

/// The tables of a bundle, as in `skills_runtime::__private::Parts`.
#[derive(Debug, Default)]
pub(crate) struct Tables<'m> {
    /// The index of each skill, by name and alias.
    pub(crate) keys: BTreeMap<&'m str, u32>,
    /// The skills, in order of names.
    pub(crate) skills: Vec<Row<'m>>,
    /// The text that does not occur verbatim in a `SKILL.md`.
    pub(crate) text: String,
    /// The entries of the skills' folders, then of their subfolders, and so on.
    pub(crate) levels: Vec<Vec<Entry<'m>>>,
    /// The distinct fields of the skills.
    pub(crate) fields: Vec<&'m Fields>,
    /// The typed arguments of the skills that have some.
    pub(crate) schemas: Vec<&'m Schema>,
    /// The digest of each skill, 32 bytes.
    pub(crate) digests: Vec<u8>,
}

/// One skill.
#[derive(Debug)]
pub(crate) struct Row<'m> {
    /// The path of the skill's folder, relative to the folder of the bundle.
    pub(crate) dir: &'m str,
    /// The length of the `SKILL.md`, in bytes.
    pub(crate) len: usize,
    /// The start and the length of each text, in the order of `skill` in `skills-runtime/src/bundle/tables.rs`. The highest
    /// bit of the length marks a text of the bundle; the other texts are in the `SKILL.md`.
    pub(crate) places: [[u32; 2]; 5],
    /// The numbers, in the order of the same function.
    pub(crate) numbers: [u32; 5],
}

/// An entry of a folder. Paths are relative to the folder of the skill.
#[derive(Debug)]
pub(crate) enum Entry<'m> {
    /// A file.
    File {
        /// The folder of the skill, relative to the folder of the bundle.
        dir: &'m str,
        /// The path, relative to the folder of the skill.
        path: &'m str,
        /// The length in bytes.
        len: usize,
    },
    /// A folder, whose entries are the `len` entries of the next level from `start`.
    Dir {
        /// The path, relative to the folder of the skill.
        path: &'m str,
        /// The index of the first entry in the next level.
        start: usize,
        /// The number of entries.
        len: usize,
    },
}

impl<'m> Tables<'m> {
    /// Creates the tables of a model. Returns `None` if the place of a text needs more than 31 bits.
    pub(crate) fn new(model: &'m BundleModel<'_>) -> Option<Self> {
        let mut tables = Self {
            levels: vec![Vec::new()],
            ..Self::default()
        };
        for skill in &model.skills {
            let row = tables.row(skill);
            tables.skills.push(row);
        }
        for (skill, index) in model.skills.iter().zip(0..) {
            tables
                .keys
                .entry(skill.skill.name.as_str())
                .or_insert(index);
        }
        // After all names: a name overrides an alias. An alias of two skills, which the options can allow, finds neither.
        for (skill, index) in model.skills.iter().zip(0..HIGH) {
            for alias in skill.skill.fields.aliases.iter() {
                let number = tables.keys.entry(alias).or_insert(index | HIGH);
                if *number & HIGH != 0 && *number != index | HIGH {
                    *number = NEITHER;
                }
            }
        }
        tables.keys.retain(|_, number| *number != NEITHER);
        let longest = tables.skills.iter().map(|row| row.len).max();
        let longest = longest.unwrap_or_default().max(tables.text.len());
        (number(longest) < HIGH).then_some(tables)
    }

    fn row(&mut self, model: &'m SkillModel<'_>) -> Row<'m> {
        let raw = model.document.text;
        let skill = &model.skill;
        let head = raw.get(..model.document.yaml.end).unwrap_or_default();
        let body = raw.get(model.document.body.range()).unwrap_or_default();
        let (front_matter, hole) = skill.front_matter.cut_values();
        let body = if body == skill.body {
            [number(model.document.body.start), number(body.len())]
        } else {
            self.push(&skill.body)
        };
        let places = [
            self.place(head, skill.name.as_str()),
            self.place(head, &skill.description),
            body,
            self.push(&front_matter),
            self.place(head, model.dir),
        ];
        // `u32::MAX`: the JSON does not leave out the text of the description. Fields and arguments count from 1.
        let [first, count] = self.entries(model);
        let numbers = [
            hole.map_or(u32::MAX, number),
            first,
            count,
            self.fields(&skill.fields),
            self.schema(model),
        ];
        self.digests.extend(model.digest.0);
        Row {
            dir: model.dir,
            len: raw.len(),
            places,
            numbers,
        }
    }

    /// Finds a text in the `head` of the file, or adds the text to the bundle's text.
    fn place(&mut self, head: &str, text: &str) -> [u32; 2] {
        // Any occurrence will do, since only its bytes are read.
        match memmem::find(head.as_bytes(), text.as_bytes()) {
            Some(start) => [number(start), number(text.len())],
            None => self.push(text),
        }
    }

    fn push(&mut self, text: &str) -> [u32; 2] {
        let place = [number(self.text.len()), number(text.len()) | HIGH];
        self.text.push_str(text);
        place
    }

    fn fields(&mut self, fields: &'m Fields) -> u32 {
        if *fields == Fields::NONE {
            return 0;
        }
        let known = self.fields.iter().position(|known| *known == fields);
        let index = known.unwrap_or_else(|| {
            self.fields.push(fields);
            self.fields.len() - 1
        });
        number(index + 1)
    }

    fn schema(&mut self, model: &'m SkillModel<'_>) -> u32 {
        self.schemas.extend(&model.schema);
        model
            .schema
            .as_ref()
            .map_or(0, |_| number(self.schemas.len()))
    }

    fn entries(&mut self, model: &'m SkillModel<'_>) -> [u32; 2] {
        let files = model.files.iter().skip(1);
        let files = files
            .map(|file| Entry::File {
                dir: model.dir,
                path: file.path,
                len: file.bytes.len(),
            })
            .collect();
        let (start, len) = self.level(0, 0, files);
        [number(start), number(len)]
    }

    /// Adds the files below a folder to a level and the levels below. The path of the folder has `prefix` bytes.
    fn level(&mut self, level: usize, prefix: usize, files: Vec<Entry<'m>>) -> (usize, usize) {
        let mut entries: Vec<Entry<'m>> = Vec::new();
        let mut inner: Vec<Entry<'m>> = Vec::new();
        let mut files = files.into_iter().peekable();
        while let Some(file) = files.next() {
            let Some(path) = folder_at(&file, prefix) else {
                entries.push(file);
                continue;
            };
            inner.push(file);
            while let Some(file) = files.next_if(|file| folder_at(file, prefix) == Some(path)) {
                inner.push(file);
            }
            if self.levels.len() == level + 1 {
                self.levels.push(Vec::new());
            }
            let (start, len) = self.level(level + 1, path.len() + 1, std::mem::take(&mut inner));
            entries.push(Entry::Dir { path, start, len });
        }
        let len = entries.len();
        match self.levels.get_mut(level) {
            Some(level) => {
                level.extend(entries);
                (level.len() - len, len)
            }
            None => (0, 0),
        }
    }
}

/// Returns the folder that holds a file directly below the folder whose path has `prefix` bytes.
fn folder_at<'m>(entry: &Entry<'m>, prefix: usize) -> Option<&'m str> {
    let Entry::File { path, .. } = entry else {
        return None;
    };
    let slash = path.get(prefix..)?.find('/')?;
    path.get(..prefix + slash)
}

/// Returns a number of a table. [`Tables::new`] refuses what is larger than the highest bit.
fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
