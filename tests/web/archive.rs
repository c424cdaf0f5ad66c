//! Archives of one skill.

use std::io::{Cursor, Write as _};

/// Returns the text of a skill.
fn text(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n{body}\n"
    )
}

/// Makes a zip file of a skill.
pub(crate) fn zip(name: &str, body: &str) -> Vec<u8> {
    zip_of(&format!("{name}/SKILL.md"), &text(name, body))
}

/// Makes a zip file of one file.
pub(crate) fn zip_of(path: &str, text: &str) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.start_file(path, options).unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap().into_inner()
}

/// Makes a gzip-compressed tar file of a skill.
pub(crate) fn tar(name: &str, body: &str) -> Vec<u8> {
    let text = text(name, body);
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let mut builder = tar::Builder::new(gzip);
    builder
        .append_data(&mut header, format!("{name}/SKILL.md"), text.as_bytes())
        .unwrap();
    builder.into_inner().unwrap().finish().unwrap()
}
