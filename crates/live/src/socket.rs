//! The connection to one page: what it says goes to the session, what waits for it is sent.

use crate::outbox::{Message, Outbox};
use crate::session::{Post, Said};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, WebSocket};

/// The longest message of a page \[bytes\].
const LONGEST: usize = 64 * 1024;

/// Messages of a page in a second.
const MOST_A_SECOND: u32 = 200;

/// How long the socket listens before it looks at what is to be sent.
const LISTEN: Duration = Duration::from_millis(4);

/// A page that takes nothing for so long is let go.
const PATIENCE: Duration = Duration::from_secs(20);

static PAGES: AtomicU64 = AtomicU64::new(1);

/// Attends to a page until it or the session goes.
pub fn attend(stream: TcpStream, post: &Post) {
    if stream.set_read_timeout(Some(LISTEN)).is_err() || stream.set_write_timeout(Some(PATIENCE)).is_err() {
        return;
    }
    let config = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let (page, outbox) = (PAGES.fetch_add(1, Ordering::Relaxed), Arc::new(Outbox::default()));
    if post.send(page, Said::Comes(Arc::clone(&outbox))) {
        talk(&mut socket, page, &outbox, post);
        post.send(page, Said::Goes);
    }
}

fn talk(socket: &mut WebSocket<TcpStream>, page: u64, outbox: &Outbox, post: &Post) {
    let (mut second, mut said) = (Instant::now(), 0);
    loop {
        match socket.read() {
            Ok(tungstenite::Message::Text(text)) => {
                if second.elapsed() >= Duration::from_secs(1) {
                    (second, said) = (Instant::now(), 0);
                }
                said += 1;
                if said > MOST_A_SECOND {
                    return close(socket, CloseCode::Policy, "too many messages");
                }
                if !post.send(page, Said::Text(text.as_str().to_owned())) {
                    return close(socket, CloseCode::Away, "the server ends");
                }
            }
            Ok(tungstenite::Message::Binary(_)) => return close(socket, CloseCode::Unsupported, "texts only"),
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(Error::Capacity(_)) => return close(socket, CloseCode::Size, "too long"),
            Err(_) => return,
        }
        while let Some(message) = outbox.take() {
            let message = match message {
                Message::Text(text) => tungstenite::Message::text(text),
                Message::Binary(bytes) => tungstenite::Message::binary(bytes),
            };
            if socket.send(message).is_err() {
                return;
            }
        }
        if outbox.is_closed() {
            return close(socket, CloseCode::Away, "the server ends");
        }
    }
}

fn close(socket: &mut WebSocket<TcpStream>, code: CloseCode, reason: &'static str) {
    let _ = socket.close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = socket.flush();
}
