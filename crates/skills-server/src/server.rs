//! A server of a catalog alone.

#![expect(
    deprecated,
    reason = "clients before 2026-07-28 use logging and resources/subscribe"
)]

use crate::client::{Client, SUBSCRIPTIONS, is_at_least};
use crate::instructions::instructions;
use crate::listing::invalid;
use crate::messages::drained;
use crate::notices::Notices;
use crate::pages::only_page;
use crate::parameters::parameters_error;
use crate::skills::Skills;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListSkillsResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, ReadResourceRequestParams,
    ReadResourceResponse, ServerConfig, SetLevelRequestMethod, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{
    NotificationContext, Peer, RequestContext, SubscriptionContext, SubscriptionSendError,
};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use skills_runtime::{__event, Catalog};
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// Maximum number of requests that read files at once.
const AT_ONCE: usize = 4;
/// Maximum number of concurrent subscriptions.
const LISTENERS: usize = 16;

/// A server of a catalog. Cheap to clone; clones share the catalog.
#[derive(Clone, Debug)]
pub struct SkillsServer {
    skills: Skills,
    about: Implementation,
    at_once: Arc<Semaphore>,
    pub(crate) listeners: Arc<Semaphore>,
    /// The client of the connection. `None` over HTTP, where each session has a client.
    client: Option<Arc<Client>>,
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
            client: None,
            ready: Arc::default(),
        }
    }

    /// Creates a server for one more connection, whose client is not ready yet.
    pub(crate) fn for_a_connection(self) -> Self {
        Self {
            ready: Arc::default(),
            client: Some(Arc::default()),
            ..self
        }
    }

    /// Reports the news to a client, from the moment at which the client is ready. Never returns: the future is
    /// dropped with the connection.
    pub(crate) fn reports(&self, peer: Peer<RoleServer>) -> impl Future<Output = ()> + use<> {
        let ready = Arc::clone(&self.ready);
        let client = self.client.clone().unwrap_or_default();
        let mut notices = Notices::new(self.skills.clone(), client);
        async move {
            ready.notified().await;
            notices.begin_now();
            report(notices, peer).await;
            std::future::pending::<()>().await;
        }
    }

    /// Returns the settings of the client that sent a request.
    ///
    /// # Errors
    ///
    /// `-32600`: the request came over HTTP without a session, so no notification could reach its client.
    fn client(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Client>, ErrorData> {
        #[cfg(feature = "http")]
        if let Some(head) = context.extensions.get::<hyper::http::request::Parts>()
            && let Some(client) = head.extensions.get::<Arc<Client>>()
        {
            return Ok(Arc::clone(client));
        }
        let _ = context;
        self.client.clone().ok_or_else(|| {
            let why = "the request needs a session: send the header Mcp-Session-Id, which the answer to initialize has";
            ErrorData::invalid_request(why, None)
        })
    }

    /// Returns the served skills.
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    /// Runs a request on a thread that may block, at most [`AT_ONCE`] at once. A request that names a level gets the
    /// messages that the log got meanwhile.
    async fn answer<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        method: &str,
        answer: impl FnOnce(&Skills) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let messages = context.meta.log_level();
        let messages = messages.map(|level| (level, self.skills.live.messages()));
        let answered = self.run(abandoned(context), answer).await;
        if let Some((level, mut messages)) = messages {
            for message in drained(&mut messages) {
                if is_at_least(message.level(), level) {
                    // A client that is gone gets no answer either.
                    let _ = context.peer.notify_logging_message(message.params()).await;
                }
            }
        }
        match &answered {
            Ok(_) => __event!(debug: "answered", method = method),
            Err(error) => __event!(debug: "refused", method = method, code = error.code.0),
        }
        answered
    }

    /// Waits for a slot and runs a request. Ends without an answer if the client abandons the request before.
    async fn run<T: Send + 'static>(
        &self,
        abandoned: impl Future<Output = ()>,
        answer: impl FnOnce(&Skills) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let failed = |why: &dyn std::fmt::Display| {
            ErrorData::internal_error(format!("the request failed: {why}"), None)
        };
        let slot = tokio::select! {
            biased;
            () = abandoned => return Err(failed(&"its client is gone")),
            slot = Arc::clone(&self.at_once).acquire_owned() => slot.map_err(|closed| failed(&closed))?,
        };
        let skills = self.skills.clone();
        let task = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            answer(&skills)
        });
        task.await.map_err(|error| failed(&error))?
    }
}

/// Waits until the client cancels a request, or is gone before it has the answer.
fn abandoned(context: &RequestContext<RoleServer>) -> impl Future<Output = ()> + use<> {
    let cancelled = context.ct.clone();
    #[cfg(feature = "http")]
    let gone = context
        .extensions
        .get::<hyper::http::request::Parts>()
        .and_then(|head| head.extensions.get::<Gone>().cloned());
    async move {
        #[cfg(feature = "http")]
        if let Some(Gone(mut gone)) = gone {
            // Nothing is sent: the error says that the sender is gone.
            let is_gone = async { while gone.changed().await.is_ok() {} };
            tokio::select! {
                () = cancelled.cancelled() => {}
                () = is_gone => {}
            }
            return;
        }
        cancelled.cancelled().await;
    }
}

/// Ends when nobody waits for the answer to a request over HTTP.
#[cfg(feature = "http")]
#[derive(Clone, Debug)]
pub(crate) struct Gone(pub(crate) tokio::sync::watch::Receiver<()>);

impl ServerHandler for SkillsServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(Skills::capabilities())
            .with_server_info(self.about.clone())
            .with_instructions(instructions(&self.skills.profile))
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.answer(&context, "skills/list", move |skills| {
            skills.list_skills(request.as_ref())
        })
        .await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.answer(&context, "skills/get", move |skills| {
            skills.get_skill(&request.uri)
        })
        .await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.answer(&context, "resources/list", move |skills| {
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
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.answer(&context, "resources/read", move |skills| {
            skills.read_resource(&request.uri)
        });
        read.await.map(Into::into)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let page = request
            .cursor
            .map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        self.answer(&context, "resources/directory/read", move |skills| {
            skills.read_directory(&request.uri, page.as_ref())
        })
        .await
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(request.as_ref())?;
        let tools = self.answer(&context, "tools/list", |skills| Ok(skills.tools()));
        tools.await.map(ListToolsResult::with_all_items)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = self.answer(&context, "tools/call", move |skills| {
            skills.call_tool(&request.name, request.arguments)
        });
        call.await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.answer(&context, "prompts/list", move |skills| {
            skills.list_prompts(request.as_ref())
        })
        .await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments;
        let prompt = self.answer(&context, "prompts/get", move |skills| {
            skills.get_prompt(&request.name, arguments.as_ref())
        });
        prompt.await.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.answer(&context, "completion/complete", move |skills| {
            skills.complete(&request)
        })
        .await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let client = self.client(&context)?;
        self.answer(&context, "resources/subscribe", move |skills| {
            client.subscribe(skills, &request.uri)
        })
        .await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.client(&context)?
            .unsubscribe(&self.skills, &request.uri);
        Ok(())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // The SDK refuses the other methods of older versions. From 2026-07-28 on each request names its level.
        if context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        self.client(&context)?.set_level(request.level);
        Ok(())
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
        let client = self.run(std::future::pending(), move |skills| {
            Ok(Client::subscribed(skills, &uris.unwrap_or_default()))
        });
        let client = Arc::new(client.await?);
        let mut notices = Notices::new(self.skills.clone(), client);
        loop {
            let news = tokio::select! {
                biased;
                () = subscription.cancelled() => return Ok(()),
                news = notices.wait() => news,
            };
            let Some(news) = news else {
                return Ok(());
            };
            for notification in notices.notifications(news).await {
                match subscription.sink().send(notification).await {
                    Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
                    Err(_) => return Ok(()),
                }
            }
        }
    }
}

/// Reports the news to a client, until the client is gone.
async fn report(mut notices: Notices, peer: Peer<RoleServer>) {
    while let Some(news) = notices.wait().await {
        for notification in notices.notifications(news).await {
            if peer.send_notification(notification).await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_abandoned_request_waits_no_longer() {
        let server = SkillsServer::new("test", "1", Catalog::builder().load().catalog);
        let _all = Arc::clone(&server.at_once)
            .acquire_many_owned(u32::try_from(AT_ONCE).expect("few"))
            .await;
        let answered = server.run(std::future::ready(()), |_| Ok(())).await;
        let why = answered.expect_err("no slot is free").message;
        assert!(why.contains("its client is gone"), "{why}");
    }
}
