//! A scripted server of chat completions, on loopback.

use serde_json::{Value, json};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

/// A server that answers one request with each message, and then ends.
pub(crate) struct Server {
    pub(crate) url: String,
    thread: JoinHandle<io::Result<Vec<Value>>>,
}

impl Server {
    /// Starts the server. `messages` are the messages of the assistant, in order.
    pub(crate) fn start(messages: Vec<Value>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let thread = std::thread::spawn(move || {
            let mut requests = Vec::new();
            for message in messages {
                let (stream, _) = listener.accept()?;
                requests.push(answer(stream, &message)?);
            }
            Ok(requests)
        });
        Ok(Self { url, thread })
    }

    /// Returns the bodies of the requests, in order.
    pub(crate) fn requests(self) -> io::Result<Vec<Value>> {
        self.thread.join().expect("the server does not panic")
    }
}

fn answer(stream: TcpStream, message: &Value) -> io::Result<Value> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    assert!(line.starts_with("POST /v1/chat/completions "), "{line}");
    let mut length = 0;
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line)?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let reason = if message.get("tool_calls").is_some() {
        "tool_calls"
    } else {
        "stop"
    };
    let reply = json!({
        "id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
    .to_string();
    let mut stream = reader.into_inner();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
        reply.len()
    )?;
    Ok(serde_json::from_slice(&body)?)
}
