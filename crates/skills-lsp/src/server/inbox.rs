//! What the server waits for: the messages of the client, and scans that are done.

use crate::scan::Scanned;
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

    /// Refuses a request that waits.
    fn cancel(&mut self, id: &RequestId) {
        let is_it = |event: &Event| match event {
            Event::Message(Message::Request(request)) => request.id == *id,
            _ => false,
        };
        if let Some(at) = self.waiting.iter().position(is_it) {
            self.waiting.remove(at);
            let code = ErrorCode::RequestCanceled as i32;
            let answer = Response::new_err(id.clone(), code, "it is cancelled".to_owned());
            let _ = self.connection.sender.send(answer.into());
        }
    }
}

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
}
