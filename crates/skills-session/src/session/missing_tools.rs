//! Finds the tools that a skill names and the host does not have.

use crate::activation::Activation;
use crate::dialect::notice::{Notice, names};
use crate::options::AllowedTools;
use crate::session::Session;
use crate::session::active::Active;
use skills_format::ToolRule;
use skills_permit::{Starter, ToolKind, Tools, narrow, not_here};

/// The tools of `Dialect::tools` beside the tool that starts a skill.
const TOOLS_FOR_SKILLS: [&str; 2] = ["list_skills", "read_skill_resource"];

impl Session {
    /// Returns the notice about the tools that a skill names and the host does not have: once for each skill,
    /// and never if the host gave no tools.
    pub(super) fn missing_tools(&mut self, activation: &Activation) -> Option<Notice> {
        self.tools.iter().next()?;
        let mut tools = match self.options().allowed_tools {
            AllowedTools::Ignored => Vec::new(),
            _ => narrow(&[&activation.allowed_tools], &self.tools).unknown,
        };
        let mut disallowed = not_here(&activation.disallowed_tools, &self.tools);
        let mut without_kind = without_kind(&self.tools);
        disallowed.retain(|tool| match ToolKind::of(tool) {
            // Tools of MCP servers have one name in every program: the host does not have this server.
            ToolKind::Other => !tool.starts_with("mcp__"),
            // If every tool has a kind, no tool of the host is the one to take away.
            _ => !without_kind.is_empty(),
        });
        // The tools for skills are the runtime's, and the host leaves them out of its list.
        let own = self.options().tool.as_ref().map(|tool| &*tool.name);
        let is_missing = |tool: &String| {
            let tool = &**tool;
            // A list that cannot be read was reported when the skill was.
            tool != ToolRule::NONE.tool
                && tool != "Skill"
                && Some(tool) != own
                && !TOOLS_FOR_SKILLS.contains(&tool)
        };
        tools.retain(is_missing);
        disallowed.retain(is_missing);
        let stands_for_a_kind = |tool: &String| ToolKind::of(tool) != ToolKind::Other;
        // A host that says `Other` knows that the tool has no kind. Only a tool that should go and stays is a surprise.
        let helps = disallowed.iter().any(stands_for_a_kind)
            || self.tools.are_names() && tools.iter().any(stands_for_a_kind);
        if self.told_kinds || !helps {
            without_kind.clear();
        }
        let skill = format!("{}:{}", activation.source, activation.skill);
        let is_told = tools.is_empty() && disallowed.is_empty() || !self.told_missing.insert(skill);
        if is_told {
            return None;
        }
        // For the author of the host, who learns nothing from the second time.
        self.told_kinds |= !without_kind.is_empty();
        let skill = &activation.skill;
        let mut parts = Vec::new();
        if !tools.is_empty() {
            let tools = names(&tools);
            parts.push(format!("asks for tools that are not available: {tools}"));
        }
        if !disallowed.is_empty() {
            let it = if tools.is_empty() { "" } else { "it " };
            let taken = names(&disallowed);
            parts.push(format!("{it}takes away tools that are not here: {taken}"));
        }
        let mut notice = format!("Skill '{skill}' {}.", parts.join("; "));
        if !without_kind.is_empty() {
            // For the author of the host: a person cannot give a tool its kind.
            notice += " The host gives no kind to these tools: ";
            notice += &names(&without_kind);
            notice += ".";
        }
        Some(Notice::Text(notice))
    }

    /// Returns the notice that a skill approves no call because its list cannot be read strictly: when a person starts
    /// a skill that is not active, if the list would approve.
    pub(super) fn approves_nothing(&self, activation: &Activation) -> Option<Notice> {
        let is_it = |old: &Active| old.skill == activation.skill && old.source == activation.source;
        let is_new = activation.is_doubtful
            && activation.started_by == Starter::Person
            && self.options().allowed_tools == AllowedTools::Approves
            && !self.active.iter().any(is_it);
        let skill = &activation.skill;
        is_new.then(|| Notice::Text(format!(
            "Skill '{skill}' approves no tool call: its tools are not written exactly. Write the key allowed-tools \
             once, and each entry as the name of a tool or as Tool(pattern)."
        )))
    }
}

/// Returns the tools to which the host gave no kind. A tool of an MCP server has the one name that skills use.
fn without_kind(tools: &Tools) -> Vec<String> {
    let tools = tools.iter();
    let is_other =
        |(name, kind): &(&str, ToolKind)| *kind == ToolKind::Other && !name.starts_with("mcp__");
    tools
        .filter(is_other)
        .map(|(name, _)| name.to_owned())
        .collect()
}
