//! Compares what `skills prompt --client` lists with what the programs themselves send.
//!
//! `.ci/clients` runs the programs in the folders of `folders.rs`, and writes their lists into `kept`.
//! `SKILLS_CLIENTS_FOLDERS=DIR` writes the folders into DIR for it, and compares nothing.

mod folders;

use folders::folders;
use std::path::Path;

/// The programs whose lists are kept.
const CLIENTS: [&str; 4] = ["claude-code", "codex", "gemini-cli", "opencode"];

#[test]
fn every_folder_has_the_lists_of_every_program() {
    if let Some(at) = std::env::var_os("SKILLS_CLIENTS_FOLDERS") {
        for folder in folders() {
            let skills = Path::new(&at).join(folder.name).join("skills");
            folder.write(&skills).expect("the folder is written");
        }
        return;
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/kept");
    for folder in folders() {
        let lists = kept.join(folder.name).read_dir().expect(folder.name);
        let names: Vec<String> = lists
            .map(|list| {
                list.expect("a list")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        let whole = ["gemini-cli", "opencode"];
        for client in CLIENTS {
            // See SKIPPED of `.ci/clients.d/compare.mjs`.
            if ["crowd", "twice"].contains(&folder.name) && whole.contains(&client) {
                continue;
            }
            assert!(
                names.iter().any(|name| name.starts_with(client)),
                "no list of {client} in {}",
                folder.name
            );
        }
    }
}
