//! The hook of the agent: each request has the system text of now, and the tools that the active skills leave.

use crate::skills::Skills;
use rig::agent::{
    AgentHook, CompletionCallAction, CompletionCallEvent, DispatchAction, DispatchEvent,
    HookContext,
};
use rig::effect::EffectKind;
use rig::error::{ErrorKind, ErrorReport};
use rig::run::RequestPatch;
use rig::tool::ToolErrorKind;
use serde_json::Value;
use std::sync::Arc;

pub(crate) struct Narrowing(pub(crate) Arc<Skills>);

impl AgentHook for Narrowing {
    /// A skill can have been started, or have ended, since the request before.
    async fn on_completion_call(
        &self,
        _: &HookContext,
        _: CompletionCallEvent<'_>,
    ) -> CompletionCallAction {
        let skills = self.0.lock();
        let patch = RequestPatch::new().preamble(skills.preamble());
        CompletionCallAction::Patch(patch.active_tools(skills.tools()))
    }

    /// A tool can be left for some calls only: `Bash(git:*)`.
    async fn on_dispatch(&self, _: &HookContext, event: DispatchEvent<'_>) -> DispatchAction {
        let EffectKind::ToolCall { name, args } = event.kind else {
            return DispatchAction::Proceed;
        };
        if self.0.lock().allows(name, args) {
            return DispatchAction::Proceed;
        }
        let kind = ErrorKind::Tool(ToolErrorKind::PermissionDenied);
        let why = format!("an active skill does not allow this call of {name}");
        DispatchAction::Deny(ErrorReport::new(kind, why))
    }
}

/// Returns the input of a call that the rules of skills are about: the path or the command line. The tools of this
/// agent have it as their first text.
pub(crate) fn input(arguments: &str) -> String {
    let arguments = serde_json::from_str::<Value>(arguments).unwrap_or_default();
    let mut values = arguments.as_object().into_iter().flat_map(|it| it.values());
    let text = values.find_map(Value::as_str);
    text.unwrap_or_default().to_owned()
}
