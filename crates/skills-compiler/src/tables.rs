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
    /// The digests, 32 bytes each.
    pub(crate) digests: Vec<u8>,
}

/// One skill.
#[derive(Debug)]
pub(crate) struct Row<'m> {
    /// The path of the skill's folder, relative to the folder of the bundle.
    pub(crate) dir: &'m str,
    /// The length of the `SKILL.md`, in bytes.
    pub(crate) len: usize,
    /// The name.
    pub(crate) name: Place,
    /// The description.
    pub(crate) description: Place,
    /// The body, with LF line ends.
    pub(crate) body: Place,
    /// The front matter as JSON; empty if it has only the name and the description.
    pub(crate) front_matter: Place,
    /// The offset at which the description is put into `front_matter`; `u32::MAX` if no text is left out.
    pub(crate) hole: u32,
    /// The place of the text of `dir`.
    pub(crate) dir_place: Place,
    /// The index of the first entry in the first level, and the number of entries.
    pub(crate) entries: [u32; 2],
    /// The number of the fields, counted from 1; 0 if the skill has none.
    pub(crate) fields: u32,
    /// The number of the typed arguments, counted from 1; 0 if the skill has none.
    pub(crate) schema: u32,
    /// The index of the skill's digest.
    pub(crate) digests: u32,
    /// 1: no skill of a folder may shadow the skill.
    pub(crate) is_sealed: u32,
}

/// The offset and the length of a text, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// In the `SKILL.md`.
    Raw(u32, u32),
    /// In the bundle's text.
    Text(u32, u32),
}

impl Place {
    /// Returns the start and the length, as the runtime holds them: the highest bit of the length marks the bundle's text.
    fn marked(self) -> [u32; 2] {
        match self {
            Self::Raw(start, len) => [start, len],
            Self::Text(start, len) => [start, len | HIGH],
        }
    }
}

impl Row<'_> {
    /// Returns the places, in the order of `skill` in `skills-runtime/src/bundle/tables.rs`.
    pub(crate) fn places(&self) -> [[u32; 2]; 5] {
        [
            self.name,
            self.description,
            self.body,
            self.front_matter,
            self.dir_place,
        ]
        .map(Place::marked)
    }

    /// Returns the numbers, in the order of the same function.
    pub(crate) fn numbers(&self) -> [u32; 7] {
        let [start, len] = self.entries;
        [
            self.hole,
            start,
            len,
            self.fields,
            self.schema,
            self.digests,
            self.is_sealed,
        ]
    }
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

/// The error that a number of a table needs more than 31 bits.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl<'m> Tables<'m> {
    /// Creates the tables of a model.
    pub(crate) fn new(model: &'m BundleModel<'_>) -> Result<Self, TooLarge> {
        let mut tables = Self {
            levels: vec![Vec::new()],
            ..Self::default()
        };
        for skill in &model.skills {
            let row = tables.row(skill)?;
            tables.skills.push(row);
        }
        for (skill, index) in model.skills.iter().zip(0..) {
            tables
                .keys
                .entry(skill.skill.name.as_str())
                .or_insert(index);
        }
        // After all names: a name overrides an alias.
        for (skill, index) in model.skills.iter().zip(0..HIGH) {
            for alias in skill.skill.fields.aliases.iter() {
                tables.keys.entry(alias).or_insert(index | HIGH);
            }
        }
        Ok(tables)
    }

    fn row(&mut self, model: &'m SkillModel<'_>) -> Result<Row<'m>, TooLarge> {
        let raw = model.document.text;
        let skill = &model.skill;
        let head = raw.get(..model.document.yaml.end).unwrap_or_default();
        let body = raw.get(model.document.body.range()).unwrap_or_default();
        let (front_matter, hole) = skill.front_matter.cut_values();
        let row = Row {
            dir: model.dir,
            len: raw.len(),
            name: self.place(head, skill.name.as_str())?,
            description: self.place(head, &skill.description)?,
            body: if body == skill.body {
                Place::Raw(number(model.document.body.start)?, number(body.len())?)
            } else {
                self.push(&skill.body)?
            },
            front_matter: self.push(&front_matter)?,
            hole: hole.map_or(Ok(u32::MAX), number)?,
            dir_place: self.place(head, model.dir)?,
            entries: self.entries(model)?,
            fields: self.fields(&skill.fields)?,
            schema: self.schema(model)?,
            digests: number(self.digests.len() / 32)?,
            is_sealed: model.sealed.into(),
        };
        self.digests.extend(model.digest.0);
        for file in &model.files {
            self.digests.extend(file.digest.0);
        }
        Ok(row)
    }

    /// Finds a text in the `head` of the file, or adds the text to the bundle's text.
    fn place(&mut self, head: &str, text: &str) -> Result<Place, TooLarge> {
        // Any occurrence will do, since only its bytes are read.
        match memmem::find(head.as_bytes(), text.as_bytes()) {
            Some(start) => Ok(Place::Raw(number(start)?, number(text.len())?)),
            None => self.push(text),
        }
    }

    fn push(&mut self, text: &str) -> Result<Place, TooLarge> {
        let place = Place::Text(number(self.text.len())?, number(text.len())?);
        self.text.push_str(text);
        Ok(place)
    }

    fn fields(&mut self, fields: &'m Fields) -> Result<u32, TooLarge> {
        if *fields == Fields::NONE {
            return Ok(0);
        }
        let known = self.fields.iter().position(|known| *known == fields);
        let index = known.unwrap_or_else(|| {
            self.fields.push(fields);
            self.fields.len() - 1
        });
        number(index + 1)
    }

    fn schema(&mut self, model: &'m SkillModel<'_>) -> Result<u32, TooLarge> {
        self.schemas.extend(&model.schema);
        model
            .schema
            .as_ref()
            .map_or(Ok(0), |_| number(self.schemas.len()))
    }

    fn entries(&mut self, model: &'m SkillModel<'_>) -> Result<[u32; 2], TooLarge> {
        let files = model.files.iter().skip(1);
        let files = files
            .map(|file| Entry::File {
                dir: model.dir,
                path: file.path,
                len: file.bytes.len(),
            })
            .collect();
        let (start, len) = self.level(0, 0, files);
        Ok([number(start)?, number(len)?])
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

fn number(number: usize) -> Result<u32, TooLarge> {
    u32::try_from(number)
        .ok()
        .filter(|number| *number < HIGH)
        .ok_or(TooLarge)
}
