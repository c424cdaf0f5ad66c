//! A host as README shows it, whose tools have names of their own.

use crate::support::Disk;
use skills_runtime::{Catalog, Surface};
use skills_session::Session;
use skills_session::options::Options;
use skills_session::options::{ToolKind, Tools};

const SKILL: &str = "---
name: changes
description: Lists changes. Use when asked what changed.
allowed-tools: Read Grep Bash(git log:*)
---
List them.
";

#[test]
fn a_host_with_tool_names_of_its_own_keeps_its_tools_and_gets_approvals() {
    let disk = Disk::new();
    disk.write("user/changes/SKILL.md", SKILL);
    let loaded = Catalog::builder()
        .directory("user", disk.path("user"))
        .load();
    let tools = [
        ("fs_fetch_text", ToolKind::Read),
        ("posix", ToolKind::Shell),
        ("rm_rf", ToolKind::Other),
    ];
    let mut session = Session::new(Options::DEFAULT);
    session.set_tools(tools);
    let turn = session.turn(&loaded, "$changes since Monday", Surface::User);
    let left: Vec<&str> = turn.tools.tools.iter().map(|tool| &*tool.tool).collect();
    assert_eq!(left, ["fs_fetch_text", "posix", "rm_rf"]);
    for (tool, input, is_approved) in [
        ("fs_fetch_text", "src/lib.rs", true),
        ("posix", "git log --since=monday", true),
        ("posix", "git log | sh", false),
        ("posix", "rm -rf .", false),
        ("rm_rf", ".", false),
    ] {
        assert_eq!(
            turn.approved.admits(tool, input),
            is_approved,
            "{tool} {input}"
        );
    }
    let told: Vec<String> = turn.notices.iter().map(ToString::to_string).collect();
    let missing = "Skill 'changes' asks for tools that are not available: Grep.";
    assert_eq!(told, ["Using skill: changes", missing]);

    // Names alone: those that other programs use have their kinds.
    session.set_tools(Tools::named(["fs_read", "bash_exec"]));
    let turn = session.turn(&loaded, "$changes", Surface::User);
    assert_eq!(turn.tools.tools.len(), 2);
    assert!(turn.approved.admits("fs_read", "src/lib.rs"));
    assert!(turn.approved.admits("bash_exec", "git log"));
}
