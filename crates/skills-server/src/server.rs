//! A server of a catalog alone.

use crate::listing::only_page;
use crate::live::{SUBSCRIPTIONS, Subscriptions, notices};
use crate::skills::{Skills, instructions};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams,
    GetSkillResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{
    NotificationContext, RequestContext, SubscriptionContext, SubscriptionSendError,
};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use skills_runtime::Catalog;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, watch};

/// Maximum number of concurrent subscriptions.
const LISTENERS: usize = 16;

/// A server of a catalog. Cheap to clone; clones share the catalog.
#[derive(Clone, Debug)]
pub struct SkillsServer {
    skills: Skills,
    about: Implementation,
    listeners: Arc<Semaphore>,
    connection: Arc<Connection>,
}

/// One client before 2026-07-28.
#[derive(Debug, Default)]
struct Connection {
    subscriptions: Subscriptions,
    /// A client may say repeatedly that it is ready; each change is still reported once.
    is_ready: AtomicBool,
    /// Closed when the connection ends.
    end: watch::Sender<()>,
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
            listeners: Arc::new(Semaphore::new(LISTENERS)),
            connection: Arc::default(),
        }
    }

    /// Creates a server for one more connection.
    pub(crate) fn for_a_connection(&self) -> Self {
        let connection = Arc::default();
        Self {
            connection,
            ..self.clone()
        }
    }

    /// Returns the served skills.
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    /// Runs a request on a thread that may block.
    async fn answer<T: Send + 'static>(
        &self,
        answer: impl FnOnce(&Skills) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let skills = self.skills.clone();
        let task = tokio::task::spawn_blocking(move || answer(&skills));
        let failed = |why| ErrorData::internal_error(format!("the request failed: {why}"), None);
        task.await.map_err(failed)?
    }
}

/// The methods of the protocol that the server answers. The SDK takes one with wrong parameters for an unknown one.
const METHODS: [&str; 17] = [
    "completion/complete",
    "initialize",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/directory/read",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// The methods that ended with 2026-07-28.
const ENDED: [&str; 4] = [
    "initialize",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
];

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
        self.answer(move |skills| skills.list_skills(request.as_ref()))
            .await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.answer(move |skills| skills.get_skill(&request.uri))
            .await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.answer(move |skills| skills.list_resources(request.as_ref()))
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
        let read = self.answer(move |skills| skills.read_resource(&request.uri));
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
        self.answer(move |skills| skills.read_directory(&request.uri, page.as_ref()))
            .await
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(request.as_ref())?;
        let tools = self.answer(|skills| Ok(skills.tools()));
        tools.await.map(ListToolsResult::with_all_items)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = self.answer(move |skills| skills.call_tool(&request.name, request.arguments));
        call.await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.answer(move |skills| skills.list_prompts(request.as_ref()))
            .await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments;
        let prompt =
            self.answer(move |skills| skills.get_prompt(&request.name, arguments.as_ref()));
        prompt.await.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.answer(move |skills| skills.complete(&request)).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let subscriptions = Arc::clone(&self.connection.subscriptions);
        self.answer(move |skills| {
            skills.served_file(&request.uri)?;
            let mut uris = subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
            if uris.len() >= SUBSCRIPTIONS && !uris.contains(&request.uri) {
                let message = format!(
                    "this client has {SUBSCRIPTIONS} subscriptions already; end some with resources/unsubscribe"
                );
                return Err(ErrorData::invalid_request(message, None));
            }
            uris.insert(request.uri);
            Ok(())
        })
        .await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let uris = self.connection.subscriptions.lock();
        uris.unwrap_or_else(PoisonError::into_inner)
            .remove(&request.uri);
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = &*request.method;
        let has_ended = context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28)
            && ENDED.contains(&method);
        if METHODS.contains(&method) && !has_ended {
            let message = format!("the parameters of {method} are not those of the protocol");
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = format!("this server answers {}", METHODS.join(", "));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }

    /// Starts the reports: clients before 2026-07-28 get changes without a subscription.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let connection = &self.connection;
        if connection.is_ready.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut changes = self.skills.live.changes();
        let subscriptions = Arc::clone(&connection.subscriptions);
        let mut end = connection.end.subscribe();
        tokio::spawn(async move {
            let report = async {
                while let Some(notifications) = notices(&mut changes, &subscriptions).await {
                    for notification in notifications {
                        if context.peer.send_notification(notification).await.is_err() {
                            return;
                        }
                    }
                }
            };
            tokio::select! {
                () = report => {}
                _ = end.changed() => {}
            }
        });
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            // The acknowledgment names the accepted addresses, so the client sees which are missing.
            uris.truncate(SUBSCRIPTIONS);
            uris.retain(|uri| self.skills.served_file(uri).is_ok());
        }
        Some(accepted)
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let Ok(_slot) = self.listeners.try_acquire() else {
            let message =
                format!("there are {LISTENERS} subscriptions already; cancel one of them");
            return Err(ErrorData::internal_error(message, None));
        };
        let uris = subscription.accepted().resource_subscriptions.clone();
        let uris = Mutex::new(uris.into_iter().flatten().collect());
        let (mut changes, uris) = (self.skills.live.changes(), Arc::new(uris));
        loop {
            let notifications = tokio::select! {
                biased;
                () = subscription.cancelled() => return Ok(()),
                notifications = notices(&mut changes, &uris) => notifications,
            };
            let Some(notifications) = notifications else {
                return Ok(());
            };
            for notification in notifications {
                match subscription.sink().send(notification).await {
                    Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
                    Err(_) => return Ok(()),
                }
            }
        }
    }
}
