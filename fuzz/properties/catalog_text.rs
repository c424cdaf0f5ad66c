//! Any text as a description and as a body: the catalog text is read back by an XML parser, and
//! no description ends its enclosure.

use serde_json::Value;
use skills_runtime::Catalog;
use skills_session::Dialect as _;
use skills_session::activation::activate;
use skills_session::options::Options;
use std::{env, fs, process};

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    let description: Value = text.chars().take(1000).collect::<String>().into();
    let root = env::temp_dir().join(format!("skills-catalog-text-{}", process::id()));
    let folder = root.join("a");
    let file = format!("---\nname: a\ndescription: {description}\n---\n{text}\n");
    let written =
        fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("SKILL.md"), file));
    assert!(written.is_ok(), "{written:?}");
    let catalog = Catalog::builder().directory("user", &root).load();
    let shown = usize::from(catalog.get("a").is_some());
    let xml = Options::DEFAULT.list(&catalog).text;
    if !xml.is_empty() {
        let document = roxmltree::Document::parse(&xml).expect("XML");
        let skills = document
            .descendants()
            .filter(|node| node.has_tag_name("skill"));
        assert_eq!(skills.count(), shown);
    }
    if let Some(entry) = catalog.get("a")
        && let Ok(activation) = activate(&Options::DEFAULT, &entry, "")
    {
        let message = activation.message();
        // The preamble of the profile stands before the envelope.
        let (_, envelope) = message.split_once('<').expect("an envelope");
        let (tag, _) = envelope.split_once(' ').expect("a tag");
        let end = format!("</{tag}>");
        assert_eq!(message.matches(&end).count(), 1, "{message}");
        assert!(message.trim_end().ends_with(&end), "{message}");
    }
    assert!(fs::remove_dir_all(&root).is_ok());
}
