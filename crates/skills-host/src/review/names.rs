//! What the name of a file says: a text, a picture, a name that some systems take for another.

use crate::files::relative_path::folded;
use crate::files::snapshot::is_skill_file;
use unicode_normalization::UnicodeNormalization as _;

/// Any other text can be read by a program: `requirements.txt`, `sh notes.txt`.
const TEXTS: [&str; 2] = ["md", "markdown"];
const TEXT_NAMES: [&str; 7] = [
    "LICENSE",
    "LICENCE",
    "README",
    "NOTICE",
    "COPYING",
    "AUTHORS",
    "CHANGELOG",
];
const MEDIA: [&str; 19] = [
    "png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tiff", "avif", "ttf", "otf", "woff",
    "woff2", "eot", "mp3", "mp4", "wav", "ogg", "webm",
];

/// Folds one name that is compared with known ones: as a path, and with the compatible forms of letters too, `ſ` as `s`. Two paths are
/// never compared so: no system takes `①` for `1`.
pub(super) fn folded_name(name: &str) -> String {
    if name.is_ascii() {
        return folded(name);
    }
    folded(&name.nfkc().collect::<String>())
}

/// Returns whether a name is `SKILL.md` on some systems alone.
pub(super) fn is_like_a_skill(name: &str) -> bool {
    !is_skill_file(name) && is_skill_file(&folded_name(name))
}

/// Returns whether a name is that of a text for a model, or of a picture.
pub(super) fn is_open_name(name: &str) -> bool {
    is_text_name(name) || is_media_name(name)
}

pub(super) fn is_text_name(name: &str) -> bool {
    match name.rsplit_once('.') {
        None => TEXT_NAMES.contains(&name),
        Some((_, end)) => TEXTS.iter().any(|known| end.eq_ignore_ascii_case(known)),
    }
}

pub(super) fn is_media_name(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    MEDIA.iter().any(|known| end.eq_ignore_ascii_case(known))
}
