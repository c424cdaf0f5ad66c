//! A server of a catalog alone.

use crate::listing::invalid;
use crate::pages::only_page;
use crate::parameters::parameters_error;
use crate::skills::Skills;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListSkillsResult, ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SubscriptionFilter,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use skills_runtime::{__event, Catalog, Profile};
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// Maximum number of requests that read files at once.
const AT_ONCE: usize = 4;
/// Maximum number of concurrent subscriptions.
const LISTENERS: usize = 16;

/// Creates the server's instructions for a model. The profile names the tool that starts a skill.
fn instructions(profile: &Profile) -> String {
    let start = match &profile.tool {
        Some(tool) => format!(
            "call the tool `{}` with its name and follow what it returns",
            tool.name
        ),
        None => "read its `SKILL.md` with `read_skill_resource` and follow it".to_owned(),
    };
    format!(
        "Skills are instructions for kinds of tasks. When a task matches the description of a skill, {start}. \
         `list_skills` shows all skills."
    )
}

/// A server of a catalog. Cheap to clone; clones share the catalog.
#[derive(Clone, Debug)]
pub struct SkillsServer {
    skills: Skills,
    about: Implementation,
    at_once: Arc<Semaphore>,
    listeners: Arc<Semaphore>,
    /// Notified when a client before 2026-07-28 is ready. A client may say so repeatedly; each change is still reported
    /// once.
    ready: Arc<Notify>,
}

impl SkillsServer {
    /// Creates a server with the name and the version of the program.
    pub fn new(name: &str, version: &str, catalog: Catalog) -> Self {
        Self::of(name, version, Skills::new(catalog))
    }

    /// Creates a server of configured skills.
    pub fn of(name: &str, version: &str, skills: Skills) -> Self {
        Self {
            skills,
            about: Implementation::new(name, version),
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
            listeners: Arc::new(Semaphore::new(LISTENERS)),
            ready: Arc::default(),
        }
    }

    /// Creates a server for one more connection, whose client is not ready yet.
    pub(crate) fn for_a_connection(self) -> Self {
        Self {
            ready: Arc::default(),
            ..self
        }
    }

    /// Reports each change to a client, from the moment at which the client is ready. Never returns: the future is
    /// dropped with the connection.
    pub(crate) fn reports(&self, client: Peer<RoleServer>) -> impl Future<Output = ()> + use<> {
        let ready = Arc::clone(&self.ready);
        let mut changes = self.skills.live.changes();
        async move {
            ready.notified().await;
            changes.mark_unchanged();
            report_changes(changes, client).await;
            std::future::pending::<()>().await;
        }
    }

    /// Returns the served skills.
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    /// Runs a request on a thread that may block, at most [`AT_ONCE`] at once.
    async fn answer<T: Send + 'static>(
        &self,
        method: &str,
        answer: impl FnOnce(&Skills) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let answered = self.run(answer).await;
        match &answered {
            Ok(_) => __event!(debug: "answered", method = method),
            Err(error) => __event!(debug: "refused", method = method, code = error.code.0),
        }
        answered
    }

    async fn run<T: Send + 'static>(
        &self,
        answer: impl FnOnce(&Skills) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let failed = |why: &dyn std::fmt::Display| {
            ErrorData::internal_error(format!("the request failed: {why}"), None)
        };
        let slot = Arc::clone(&self.at_once)
            .acquire_owned()
            .await
            .map_err(|closed| failed(&closed))?;
        let skills = self.skills.clone();
        let task = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            answer(&skills)
        });
        task.await.map_err(|error| failed(&error))?
    }
}

impl ServerHandler for SkillsServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(Skills::capabilities())
            .with_server_info(self.about.clone())
            .with_instructions(instructions(&self.skills.profile))
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.answer("skills/list", move |skills| {
            skills.list_skills(request.as_ref())
        })
        .await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.answer("skills/get", move |skills| skills.get_skill(&request.uri))
            .await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.answer("resources/list", move |skills| {
            skills.list_resources(request.as_ref())
        })
        .await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(request.as_ref())?;
        Ok(self.skills.list_resource_templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.answer("resources/read", move |skills| {
            skills.read_resource(&request.uri)
        });
        read.await.map(Into::into)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let page = request
            .cursor
            .map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        self.answer("resources/directory/read", move |skills| {
            skills.read_directory(&request.uri, page.as_ref())
        })
        .await
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(request.as_ref())?;
        let tools = self.answer("tools/list", |skills| Ok(skills.tools()));
        tools.await.map(ListToolsResult::with_all_items)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = self.answer("tools/call", move |skills| {
            skills.call_tool(&request.name, request.arguments)
        });
        call.await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.answer("prompts/list", move |skills| {
            skills.list_prompts(request.as_ref())
        })
        .await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments;
        let prompt = self.answer("prompts/get", move |skills| {
            skills.get_prompt(&request.name, arguments.as_ref())
        });
        prompt.await.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.answer("completion/complete", move |skills| {
            skills.complete(&request)
        })
        .await
    }

    /// Answers a request that the SDK cannot parse: an unknown method, or wrong parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or_default();
        let error = parameters_error(&request.method, &params);
        Err(error.unwrap_or_else(|| {
            let method = request.method;
            invalid(format!(
                "{method}: the parameters are not those of the protocol"
            ))
        }))
    }

    /// Starts the reports: clients before 2026-07-28 get changes without a subscription.
    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {
        self.ready.notify_one();
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        accepted.resource_subscriptions = None;
        Some(accepted)
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let Ok(_slot) = self.listeners.try_acquire() else {
            let message =
                format!("there are {LISTENERS} subscriptions already; cancel one of them");
            return Err(ErrorData::internal_error(message, None));
        };
        let mut changes = self.skills.live.changes();
        loop {
            tokio::select! {
                biased;
                () = subscription.cancelled() => return Ok(()),
                news = changes.changed() => if news.is_err() { return Ok(()) },
            }
            let (sink, accepted) = (subscription.sink(), subscription.accepted());
            let mut sent = Ok(());
            if accepted.tools_list_changed == Some(true) {
                sent = sink.notify_tool_list_changed().await;
            }
            if sent.is_ok() && accepted.prompts_list_changed == Some(true) {
                sent = sink.notify_prompt_list_changed().await;
            }
            if sent.is_ok() && accepted.resources_list_changed == Some(true) {
                sent = sink.notify_resource_list_changed().await;
            }
            if sent.is_err() {
                return Ok(());
            }
        }
    }
}

/// Notifies a client of each change, until the client is gone.
async fn report_changes(mut changes: tokio::sync::watch::Receiver<u64>, client: Peer<RoleServer>) {
    while changes.changed().await.is_ok() {
        let told = client.notify_tool_list_changed().await.is_ok()
            && client.notify_prompt_list_changed().await.is_ok()
            && client.notify_resource_list_changed().await.is_ok();
        if !told {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instructions_name_the_tool_that_there_is() {
        for profile in Profile::ALL {
            let catalog = Catalog::builder()
                .bundle("bundled", &bundled_skills::SKILLS)
                .load()
                .catalog;
            let skills = Skills::new(catalog).with_profile(profile.clone());
            let tools: Vec<String> = skills
                .tools()
                .iter()
                .map(|tool| tool.name.to_string())
                .collect();
            let server = SkillsServer::of("test", "1", skills);
            let text = server.get_info().instructions.unwrap_or_default();
            let named: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
            let named = named.into_iter().filter(|name| *name != "SKILL.md");
            for name in named {
                assert!(
                    tools.iter().any(|tool| tool == name),
                    "{}: {text}",
                    profile.name
                );
            }
            let start = profile.tool.as_ref().map(|tool| format!("`{}`", tool.name));
            assert!(start.is_none_or(|start| text.contains(&start)), "{text}");
        }
    }
}
