//! Open folders and files, from `skills-format`, and whether a file has changed.

pub(crate) mod stamp;

pub(crate) use skills_format::disk::{
    FileStat, Folder, Identity, Item, Kind, Refused, identity, is_not_a_file, is_not_a_folder,
    metadata, read_at, resolved,
};
