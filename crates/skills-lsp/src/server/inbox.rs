//! What the server waits for: the messages of the client, and scans that are done.

use crate::project::scan::Scanned;
use lsp_server::{Connection, ErrorCode, Message, RequestId, Response};
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

pub(crate) enum Event {
    Message(Message),
    /// A scan is done. The number is its own.
    Scanned(i32, Box<io::Result<Scanned>>),
    /// The client has gone.
    End,
}

/// The events that are not handled yet.
pub(crate) struct Inbox<'c> {
    connection: &'c Connection,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    waiting: VecDeque<Event>,
    /// The request that is being answered, and whether the client has cancelled it.
    running: Option<(RequestId, bool)>,
}

impl<'c> Inbox<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Self {
        let (sender, receiver) = channel();
        let (messages, events) = (connection.receiver.clone(), sender.clone());
        // Not joined: it waits for the client.
        thread::spawn(move || {
            let mut all = messages.into_iter().map(Event::Message);
            if all.all(|message| events.send(message).is_ok()) {
                let _ = events.send(Event::End);
            }
        });
        Self {
            connection,
            sender,
            receiver,
            waiting: VecDeque::new(),
            running: None,
        }
    }

    /// Returns where other threads report events.
    pub(crate) fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Waits for the next event.
    pub(crate) fn next(&mut self) -> Event {
        if self.is_empty() {
            return self.receiver.recv().unwrap_or(Event::End);
        }
        self.waiting.pop_front().unwrap_or(Event::End)
    }

    /// Notes that a request is being answered.
    pub(crate) fn begin(&mut self, id: RequestId) {
        self.running = Some((id, false));
    }

    /// Returns whether the client has cancelled the request that is being answered.
    pub(crate) fn is_cancelled(&mut self) -> bool {
        self.is_empty();
        self.running.as_ref().is_some_and(|(_, is)| *is)
    }

    /// Notes that the request is answered.
    pub(crate) fn end(&mut self) {
        self.running = None;
    }

    /// Returns whether everything that arrived is handled.
    pub(crate) fn is_empty(&mut self) -> bool {
        while let Ok(event) = self.receiver.try_recv() {
            match cancelled(&event) {
                Some(id) => self.cancel(&id),
                None => self.waiting.push_back(event),
            }
        }
        self.waiting.is_empty()
    }

    /// Refuses a request that waits, or marks the request that is being answered.
    fn cancel(&mut self, id: &RequestId) {
        if let Some((_, is_cancelled)) = self.running.as_mut().filter(|(running, _)| running == id)
        {
            *is_cancelled = true;
            return;
        }
        let is_it = |event: &Event| match event {
            Event::Message(Message::Request(request)) => request.id == *id,
            _ => false,
        };
        if let Some(at) = self.waiting.iter().position(is_it) {
            self.waiting.remove(at);
            let code = ErrorCode::RequestCanceled as i32;
            let answer = Response::new_err(id.clone(), code, CANCELLED.to_owned());
            let _ = self.connection.sender.send(answer.into());
        }
    }
}

/// The message of the answer to a cancelled request.
pub(crate) const CANCELLED: &str = "it is cancelled";

fn cancelled(event: &Event) -> Option<RequestId> {
    match event {
        Event::Message(Message::Notification(it)) if it.method == "$/cancelRequest" => {
            serde_json::from_value(it.params.get("id")?.clone()).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_server::{Notification, Request};
    use serde_json::json;

    #[test]
    fn a_request_that_waits_is_cancelled() {
        let (client, server) = Connection::memory();
        let mut inbox = Inbox::new(&server);
        for id in [1, 2] {
            let request = Request::new(id.into(), "x".to_owned(), json!({}));
            let _ = inbox.sender.send(Event::Message(request.into()));
        }
        for id in [json!(1), json!(9), json!({})] {
            let params = json!({ "id": id });
            let cancel = Notification::new("$/cancelRequest".to_owned(), params);
            let _ = inbox.sender.send(Event::Message(cancel.into()));
        }
        let Event::Message(Message::Request(next)) = inbox.next() else {
            panic!("no request");
        };
        assert_eq!(next.id, 2.into());
        let Ok(Message::Response(answer)) = client.receiver.recv() else {
            panic!("no answer");
        };
        assert_eq!(answer.id, 1.into());
        let refused = answer.response_result.expect_err("a cancelled request");
        assert_eq!(refused.code, ErrorCode::RequestCanceled as i32);
    }

    #[test]
    fn a_request_that_is_being_answered_is_cancelled() {
        let (_client, server) = Connection::memory();
        let mut inbox = Inbox::new(&server);
        let cancel = |inbox: &Inbox<'_>, id: i32| {
            let params = json!({ "id": id });
            let cancel = Notification::new("$/cancelRequest".to_owned(), params);
            let _ = inbox.sender.send(Event::Message(cancel.into()));
        };
        inbox.begin(7.into());
        cancel(&inbox, 6);
        assert!(!inbox.is_cancelled());
        cancel(&inbox, 7);
        assert!(inbox.is_cancelled());
        inbox.end();
        inbox.begin(8.into());
        assert!(!inbox.is_cancelled());
    }
}
