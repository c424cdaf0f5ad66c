//! A server of https on loopback, with a certificate of its own. It is its own proxy too: a client that connects through it
//! reaches it under every name.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The names and addresses of the certificate.
const NAMES: [&str; 5] = ["a.example", "b.example", "localhost", "127.0.0.1", "::1"];

/// What the server answers to a request.
pub(crate) enum Answer {
    /// A body, with its length.
    Body(Vec<u8>),
    /// A status line, headers and a body, as they are.
    Raw(Vec<u8>),
    /// A redirect.
    To(String),
    /// A body without an end.
    Endless,
    /// Headers, and then nothing.
    Silent,
}

/// Answers a request: its path, and the port of the server.
type Answers = dyn Fn(&str, u16) -> Answer + Send + Sync;

/// A running server.
pub(crate) struct Server {
    pub(crate) port: u16,
    /// The certificate.
    pub(crate) certificate: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(answers: impl Fn(&str, u16) -> Answer + Send + Sync + 'static) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(NAMES.map(str::to_owned)).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, config, answers) = (Arc::clone(&requests), Arc::new(config), Arc::new(answers));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, config, answers) =
                    (Arc::clone(&seen), Arc::clone(&config), Arc::clone(&answers));
                // A client that goes away ends only its own thread.
                thread::spawn(move || drop(serve(stream, port, config, &*answers, &seen)));
            }
        });
        Self {
            port,
            certificate: cert.pem(),
            requests,
        }
    }

    /// Returns the requests so far, each with its headers.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: TcpStream,
    port: u16,
    config: Arc<ServerConfig>,
    answers: &Answers,
    seen: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let mut first = [0; 1];
    stream.peek(&mut first)?;
    // The first byte of TLS is no letter.
    if first == *b"C" {
        let asked = request(&mut stream)?;
        seen.lock().unwrap().push(asked);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
    }
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    let asked = request(&mut stream)?;
    let path = asked.split(' ').nth(1).unwrap_or_default().to_owned();
    seen.lock().unwrap().push(asked);
    match answers(&path, port) {
        Answer::Body(body) => {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes())?;
            stream.write_all(&body)?;
        }
        Answer::Raw(bytes) => stream.write_all(&bytes)?,
        Answer::To(to) => {
            let head = format!(
                "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: {to}\r\nSet-Cookie: of=redirect\r\nContent-Length: 0\r\n\r\n"
            );
            stream.write_all(head.as_bytes())?;
        }
        Answer::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
            let zeros = vec![0; 1 << 16];
            loop {
                stream.write_all(&zeros)?;
            }
        }
        Answer::Silent => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")?;
            // Until the client goes away.
            stream.read_to_end(&mut Vec::new())?;
        }
    }
    stream.conn.send_close_notify();
    stream.flush()
}

/// Reads a request with its headers.
fn request(stream: &mut impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        let mut byte = [0; 1];
        stream.read_exact(&mut byte)?;
        bytes.extend(byte);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
