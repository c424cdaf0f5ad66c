//! Checks how often a lock is parsed.

use super::*;
use crate::git::{Git, Quiet};
use crate::install::{Chosen, Host, InstallOptions, Offer, Source, apply, temporary_folder};
use skills_store::files::snapshot::Snapshot;
use std::cell::Cell;
use std::fs;

thread_local! {
    /// How often a text was parsed.
    pub(super) static TIMES: Cell<usize> = const { Cell::new(0) };
}

#[test]
fn a_run_parses_the_lock_once() {
    let world = tempfile::tempdir().unwrap();
    let path = |name: &str| world.path().join(name);
    let data = DataFolder::new(path("data"));
    let clock = jiff::Timestamp::UNIX_EPOCH;
    let host = Host {
        data: &data,
        git: &Git::default(),
        clock: &clock,
        observer: &Quiet,
    };
    let install = |skills: std::ops::Range<usize>| {
        for n in skills {
            let folder = path("source").join(format!("s{n}"));
            fs::create_dir_all(&folder).unwrap();
            let text =
                format!("---\nname: s{n}\ndescription: Does {n}. Use for {n}.\n---\n\nDo it.\n");
            fs::write(folder.join("SKILL.md"), text).unwrap();
        }
        let source = Source::parse("source", world.path()).unwrap();
        let temporary = temporary_folder(&data);
        let offer = Offer::fetch(source, &temporary, host).unwrap();
        let plan = offer.plan(&Chosen::All, &path("target"), &InstallOptions::default());
        let plan = plan.unwrap();
        // A plan holds the bytes of a skill once: what the store gets and what is written share them.
        for prepared in plan
            .skills
            .iter()
            .filter_map(|skill| skill.prepared.as_ref())
        {
            let bytes = |of: &Snapshot| of.get("SKILL.md").map(|file| file.bytes.as_ptr());
            assert_eq!(bytes(&prepared.upstream), bytes(&prepared.result));
        }
        for applied in apply(&plan, host).unwrap() {
            assert!(applied.error.is_none(), "{applied:?}");
        }
    };
    install(0..70);
    // As in another process.
    PARSED.set(Vec::new());
    TIMES.set(0);
    install(70..140);
    assert_eq!(TIMES.get(), 1);
    assert_eq!(read_lock(&path("target"), &data).unwrap().skills.len(), 140);
}
