//! Who may ask for what: one address of this machine, one key, a fixed list of files, and the socket.

use crate::files::{PAGES, file};
use crate::library::{Data, Library, pairs};
use crate::session::Post;
use crate::socket;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The longest head of a request \[bytes\].
const LONGEST_HEAD: usize = 16 * 1024;

/// A head has to be there within this time.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connections at the same time.
const MOST_CONNECTIONS: usize = 32;

/// Pages at the same time.
const MOST_PAGES: usize = 16;

/// Where the server listens and who is let in.
#[derive(Clone, Debug)]
pub struct Door {
    /// Its address.
    pub address: SocketAddr,
    /// What every page has to know: 128 random bits, in hexadecimal digits.
    key: String,
    /// What a browser may call it.
    hosts: Vec<String>,
}

impl Door {
    fn new(address: SocketAddr) -> io::Result<Door> {
        let mut bits = [0u8; 16];
        getrandom::fill(&mut bits).map_err(|error| io::Error::other(error.to_string()))?;
        let port = address.port();
        let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        if !address.ip().is_loopback() && !address.ip().is_unspecified() {
            hosts.push(address.to_string());
        }
        Ok(Door { address, key: bits.iter().map(|byte| format!("{byte:02x}")).collect(), hosts })
    }

    /// The address of the page, with its key.
    pub fn url(&self) -> String {
        let ip = if self.address.ip().is_unspecified() { IpAddr::from([127, 0, 0, 1]) } else { self.address.ip() };
        format!("http://{}/?key={}", SocketAddr::new(ip, self.address.port()), self.key)
    }

    /// Whether a text is the key. It takes as long whatever the text is.
    pub fn is_key(&self, text: &str) -> bool {
        let (key, text) = (self.key.as_bytes(), text.as_bytes());
        key.len() == text.len() && key.iter().zip(text).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }

    fn cookie(&self) -> String {
        format!("tailback-{}", self.address.port())
    }
}

/// A server that waits for pages.
pub struct Server {
    listener: TcpListener,
    door: Arc<Door>,
    /// Whether whoever sends the right host is believed to be it: where the server listens beyond this machine.
    open: bool,
}

impl Server {
    /// Listens at an address of this machine; port 0 is any that is free.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn new(ip: IpAddr, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind(SocketAddr::new(ip, port))?;
        listener.set_nonblocking(true)?;
        let door = Arc::new(Door::new(listener.local_addr()?)?);
        Ok(Server { listener, door, open: !ip.is_loopback() })
    }

    /// Where it listens.
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Serves a play until `stop` is set; `post` takes what pages say.
    pub fn run(&self, post: &Post, stop: &AtomicBool) {
        self.serve(&Behind::Play(post.clone()), stop);
    }

    /// Serves results until `stop` is set.
    pub fn show(&self, library: &Arc<dyn Library>, stop: &AtomicBool) {
        self.serve(&Behind::Results(Arc::clone(library)), stop);
    }

    fn serve(&self, behind: &Behind, stop: &AtomicBool) {
        let counts = Arc::new(Counts::default());
        while !stop.load(Ordering::Relaxed) {
            match self.listener.accept() {
                Ok((stream, _)) => self.welcome(stream, behind, &counts),
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(Duration::from_millis(5)),
                // A connection that was gone before it was taken, or too many open files.
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    fn welcome(&self, stream: TcpStream, behind: &Behind, counts: &Arc<Counts>) {
        let Some(place) = Permit::take(counts, |counts| &counts.connections, MOST_CONNECTIONS) else { return };
        let visit =
            Visit { door: Arc::clone(&self.door), open: self.open, behind: behind.clone(), counts: Arc::clone(counts) };
        let serve = move || {
            let _place = place;
            let _ = visit.serve(stream);
        };
        // Where there is no thread left the connection is closed.
        let _ = std::thread::Builder::new().name("page".to_owned()).spawn(serve);
    }
}

/// What is behind the door.
#[derive(Clone)]
enum Behind {
    /// A play, to which pages speak.
    Play(Post),
    /// Results, of which pages ask for parts.
    Results(Arc<dyn Library>),
}

impl Behind {
    /// The page that stands for it.
    fn page(&self) -> &'static str {
        match self {
            Behind::Play(_) => PAGES[0],
            Behind::Results(_) => PAGES[1],
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    connections: AtomicUsize,
    pages: AtomicUsize,
}

/// A place among so many, given back when it is dropped.
struct Permit {
    counts: Arc<Counts>,
    of: fn(&Counts) -> &AtomicUsize,
}

impl Permit {
    fn take(counts: &Arc<Counts>, of: fn(&Counts) -> &AtomicUsize, most: usize) -> Option<Permit> {
        let place = Permit { counts: Arc::clone(counts), of };
        (of(counts).fetch_add(1, Ordering::Relaxed) < most).then_some(place)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        (self.of)(&self.counts).fetch_sub(1, Ordering::Relaxed);
    }
}

/// One connection.
struct Visit {
    door: Arc<Door>,
    open: bool,
    behind: Behind,
    counts: Arc<Counts>,
}

/// What is read of a request.
#[derive(Debug, Default)]
struct Request {
    is_head: bool,
    /// Neither GET nor HEAD.
    is_other: bool,
    path: String,
    query: String,
    host: Option<String>,
    origin: Option<String>,
    cookie: String,
    upgrade: bool,
    socket_key: Option<String>,
    protocols: String,
    /// A header that decides stands there twice.
    doubtful: bool,
}

/// Why a request gets nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    BadRequest,
    Forbidden,
    NotFound,
    Method,
    Late,
    TooLarge,
    Busy,
}

impl Refusal {
    fn line(self) -> &'static str {
        match self {
            Refusal::BadRequest => "400 Bad Request",
            Refusal::Forbidden => "403 Forbidden",
            Refusal::NotFound => "404 Not Found",
            Refusal::Method => "405 Method Not Allowed",
            Refusal::Late => "408 Request Timeout",
            Refusal::TooLarge => "431 Request Header Fields Too Large",
            Refusal::Busy => "503 Service Unavailable",
        }
    }
}

impl Visit {
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        // Some systems hand the listener's way of waiting on.
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = match head(&mut stream).and_then(|bytes| parse(&bytes)) {
            Ok(request) => request,
            Err(refusal) => return refuse(&mut stream, refusal),
        };
        match self.answer(&request) {
            Ok(Answer::File(file)) => {
                let cookie = format!(
                    "Set-Cookie: {}={}; HttpOnly; SameSite=Strict; Path=/\r\n",
                    self.door.cookie(),
                    self.door.key
                );
                let more = if PAGES.contains(&file.path) { cookie } else { String::new() };
                let body = if request.is_head { &[][..] } else { file.bytes };
                let host = request.host.as_deref().unwrap_or_default();
                respond(&mut stream, "200 OK", (file.kind, file.bytes.len()), &more, host)?;
                stream.write_all(body)
            }
            Ok(Answer::Data(data)) => {
                let body = if request.is_head { &[][..] } else { &data.bytes };
                let host = request.host.as_deref().unwrap_or_default();
                // What lies in a folder is kept as a file, never shown as a page.
                let more = data.name.as_ref().map_or_else(String::new, |name| {
                    format!("Content-Disposition: attachment; filename=\"{name}\"\r\n")
                });
                respond(&mut stream, "200 OK", (data.kind, data.bytes.len()), &more, host)?;
                stream.write_all(body)
            }
            Ok(Answer::Socket(accept, post)) => {
                let Some(_place) = Permit::take(&self.counts, |counts| &counts.pages, MOST_PAGES) else {
                    return refuse(&mut stream, Refusal::Busy);
                };
                let head = format!(
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\
                     {}\r\n",
                    if request.protocols.is_empty() { "" } else { "Sec-WebSocket-Protocol: tailback.1\r\n" }
                );
                stream.write_all(head.as_bytes())?;
                socket::attend(stream, &post);
                Ok(())
            }
            Err(refusal) => refuse(&mut stream, refusal),
        }
    }

    fn answer(&self, request: &Request) -> Result<Answer, Refusal> {
        let Some(host) = request.host.as_deref() else { return Err(Refusal::Forbidden) };
        let known = self.door.hosts.iter().any(|known| known == host);
        if request.doubtful || !(known || self.open && is_address(host, self.door.address.port())) {
            return Err(Refusal::Forbidden);
        }
        if request.origin.as_ref().is_some_and(|origin| *origin != format!("http://{host}")) {
            return Err(Refusal::Forbidden);
        }
        let in_query =
            request.query.split('&').filter_map(|pair| pair.strip_prefix("key=")).any(|key| self.door.is_key(key));
        let in_protocol = request
            .protocols
            .split(',')
            .filter_map(|word| word.trim().strip_prefix("key."))
            .any(|key| self.door.is_key(key));
        if request.is_other {
            return Err(if in_query { Refusal::Method } else { Refusal::Forbidden });
        }
        if request.path == "/socket" {
            let (true, true, Some(key)) = (in_query || in_protocol, request.upgrade, &request.socket_key) else {
                return Err(Refusal::Forbidden);
            };
            let Behind::Play(post) = &self.behind else { return Err(Refusal::NotFound) };
            return Ok(Answer::Socket(tungstenite::handshake::derive_accept_key(key.as_bytes()), post.clone()));
        }
        if let Some(what) = request.path.strip_prefix("/data/") {
            return self.data(what, request, in_query);
        }
        let name = self.door.cookie();
        let mut cookies = request.cookie.split(';').filter_map(|pair| pair.trim().split_once('='));
        let in_cookie = cookies.any(|(found, value)| found == name && self.door.is_key(value));
        let path = if request.path == "/" { self.behind.page() } else { &request.path };
        let is_page = PAGES.contains(&path);
        if !in_query && (is_page || !in_cookie) {
            return Err(Refusal::Forbidden);
        }
        let here = !is_page || path == self.behind.page();
        file(path).filter(|_| here).map(Answer::File).ok_or(Refusal::NotFound)
    }

    /// A part of the results: it needs the key itself.
    fn data(&self, what: &str, request: &Request, knows_key: bool) -> Result<Answer, Refusal> {
        if !knows_key {
            return Err(Refusal::Forbidden);
        }
        let Behind::Results(library) = &self.behind else { return Err(Refusal::NotFound) };
        let asked = pairs(&request.query).ok_or(Refusal::BadRequest)?;
        library.part(what, &asked).map(Answer::Data).ok_or(Refusal::NotFound)
    }
}

enum Answer {
    File(&'static crate::files::File),
    Socket(String, Post),
    Data(Data),
}

/// Whether a host is a bare address with our port: names can be made to lead here by others.
fn is_address(host: &str, port: u16) -> bool {
    host.parse::<SocketAddr>().is_ok_and(|address| address.port() == port)
}

/// Reads the head of a request.
fn head(stream: &mut TcpStream) -> Result<Vec<u8>, Refusal> {
    let (start, mut bytes, mut more) = (Instant::now(), Vec::new(), [0; 2048]);
    loop {
        let left = PATIENCE.saturating_sub(start.elapsed());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return Err(Refusal::Late);
        }
        match stream.read(&mut more) {
            Ok(0) => return Err(Refusal::BadRequest),
            Ok(count) => bytes.extend_from_slice(&more[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(Refusal::Late),
        }
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            // Nobody sends more before he has an answer.
            bytes.truncate(end + 4);
            return if bytes.len() > LONGEST_HEAD { Err(Refusal::TooLarge) } else { Ok(bytes) };
        }
        if bytes.len() > LONGEST_HEAD {
            return Err(Refusal::TooLarge);
        }
    }
}

fn parse(bytes: &[u8]) -> Result<Request, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    if !parsed.parse(bytes).is_ok_and(|status| status.is_complete()) {
        return Err(Refusal::BadRequest);
    }
    let method = parsed.method.unwrap_or_default();
    let (path, query) =
        parsed.path.unwrap_or_default().split_once('?').unwrap_or((parsed.path.unwrap_or_default(), ""));
    let (is_head, is_other) = (method == "HEAD", !matches!(method, "GET" | "HEAD"));
    let mut request =
        Request { is_head, is_other, path: path.to_owned(), query: query.to_owned(), ..Request::default() };
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value).map_err(|_| Refusal::BadRequest)?.trim().to_owned();
        let mut once = |place: &mut Option<String>| {
            request.doubtful |= place.is_some();
            *place = Some(value.clone());
        };
        match header.name.to_ascii_lowercase().as_str() {
            "host" => once(&mut request.host),
            "origin" => once(&mut request.origin),
            "sec-websocket-key" => once(&mut request.socket_key),
            "cookie" => request.cookie = value,
            "upgrade" => request.upgrade = value.eq_ignore_ascii_case("websocket"),
            "sec-websocket-protocol" => request.protocols = value,
            _ => {}
        }
    }
    Ok(request)
}

fn refuse(stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
    let words = format!("{}\n", refusal.line());
    respond(stream, refusal.line(), ("text/plain; charset=utf-8", words.len()), "", "")?;
    stream.write_all(words.as_bytes())
}

/// The head of an answer.
fn respond(
    stream: &mut TcpStream,
    line: &str,
    (kind, length): (&str, usize),
    more: &str,
    host: &str,
) -> io::Result<()> {
    // The host was checked: it is an address and a port.
    let socket = if host.is_empty() { String::new() } else { format!(" ws://{host}") };
    let head = format!(
        "HTTP/1.1 {line}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
         connect-src 'self'{socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes())
}
