//! Who gets an answer from the server, and who does not. Every line of the list of promises in `docs/live.md` is attacked here.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tailback_live::{Began, Server, Session};
use tailback_results::Inputs;
use tailback_sim::catalogue;
use tailback_sim::live::Script;
use tailback_spec::Document;
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

const SPEC: &str = "\
name = \"<img src=x onerror=alert(1)>\"
topology = { kind = \"torus\", radix = [4, 4] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { load = 0.2, pattern = \"uniform\", size = { kind = \"fixed\", flits = 4 } }
";

/// A server with a play, until it is dropped.
struct Served {
    url: String,
    key: String,
    host: String,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

fn script() -> Script {
    let document = Document::parse("play.toml", SPEC.as_bytes()).unwrap();
    Script::new(&document.expand(catalogue()).unwrap()[0]).unwrap()
}

fn served(out: Option<PathBuf>) -> Served {
    let name = "<img src=x onerror=alert(1)>.toml".to_owned();
    let mut inputs = Inputs::none();
    if let Some(spec) = out.as_ref().map(|folder| folder.join("play-a-64.toml")).filter(|spec| spec.exists()) {
        inputs.add(&spec, "the spec");
    }
    let (session, post) = Session::new(Began { script: script(), beside: Vec::new(), name, out, inputs }).unwrap();
    let server = Server::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0).unwrap();
    let url = server.door().url();
    let host = server.door().address.to_string();
    let stop = Arc::new(AtomicBool::new(false));
    let (one, other) = (Arc::clone(&stop), Arc::clone(&stop));
    let threads = vec![
        std::thread::spawn(move || server.run(&post, &one)),
        std::thread::spawn(move || session.run(&other).unwrap()),
    ];
    let key = url.split("key=").nth(1).unwrap().to_owned();
    Served { url, key, host, stop, threads }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| thread.join().unwrap());
    }
}

impl Served {
    /// Sends bytes, and reads all that is answered.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, headers: &str) -> String {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.host).as_bytes())
    }

    fn page(&self) -> String {
        format!("/?key={}", self.key)
    }

    fn socket(&self) -> WebSocket<MaybeTlsStream<TcpStream>> {
        let mut request = format!("ws://{}/socket", self.host).into_client_request().unwrap();
        let protocols = format!("tailback.1, key.{}", self.key);
        request.headers_mut().insert("Sec-WebSocket-Protocol", protocols.parse().unwrap());
        request.headers_mut().insert("Origin", format!("http://{}", self.host).parse().unwrap());
        let (socket, _) = tungstenite::connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        }
        socket
    }
}

fn code(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

/// Says something, and waits for the answer to it.
fn ask(socket: &mut WebSocket<MaybeTlsStream<TcpStream>>, mut message: Value) -> Value {
    message["id"] = json!(7);
    socket.send(Message::text(message.to_string())).unwrap();
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let told: Value = serde_json::from_str(text.as_str()).unwrap();
            if told["id"] == 7 {
                return told;
            }
        }
    }
}

#[test]
fn without_the_key_nobody_gets_in() {
    let served = served(None);
    assert_eq!(code(&served.get(&served.page(), "")), "200");
    let other = if served.key.ends_with('0') { '1' } else { '0' };
    let almost = format!("/?key={}{other}", &served.key[..31]);
    let longer = format!("/?key={}0", served.key);
    for path in
        ["/", "/index.html", "/main.js", "/socket", "/?key=", "/?key=0", "/?other=1", &almost, &longer, "/etc/passwd"]
    {
        let answer = served.get(path, "");
        assert_eq!(code(&answer), "403", "{path}: {answer}");
        assert!(answer.ends_with("403 Forbidden\n"), "nothing more is said: {answer}");
    }
}

#[test]
fn the_cookie_opens_files_of_the_page_and_nothing_else() {
    let served = served(None);
    let page = served.get(&served.page(), "");
    let cookie = page.lines().find_map(|line| line.strip_prefix("Set-Cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(code(&served.get("/main.js", &cookie)), "200");
    assert_eq!(code(&served.get("/", &cookie)), "403");
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    assert_eq!(code(&served.get("/socket", &format!("{cookie}{upgrade}"))), "403");
    assert_eq!(code(&served.get("/nothing.js", &cookie)), "404");
    for path in
        ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/page/main.js", "/main.js/", "//main.js", "/vendor/../main.js"]
    {
        assert_eq!(code(&served.get(path, &cookie)), "404", "{path}");
    }
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let served = served(None);
    let port = served.host.rsplit(':').next().unwrap();
    let ask = |host: &str, more: &str| {
        let request = format!("GET {} HTTP/1.1\r\n{host}{more}\r\n", served.page());
        code(&served.raw(request.as_bytes())).to_owned()
    };
    assert_eq!(ask(&format!("Host: localhost:{port}\r\n"), ""), "200");
    for host in ["Host: example.org\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:1\r\n", "Host: 10.0.0.1:80\r\n", ""] {
        assert_eq!(ask(host, ""), "403", "{host}");
    }
    let twice = format!("Host: 127.0.0.1:{port}\r\nHost: example.org\r\n");
    assert_eq!(ask(&twice, ""), "403");
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    assert_eq!(ask(&host, &format!("Origin: http://127.0.0.1:{port}\r\n")), "200");
    for origin in ["null", "http://example.org", "https://127.0.0.1", &format!("http://localhost:{port}")] {
        assert_eq!(ask(&host, &format!("Origin: {origin}\r\n")), "403", "{origin}");
    }
}

#[test]
fn nothing_is_done_but_read() {
    let served = served(None);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH"] {
        let request = format!("{method} {} HTTP/1.1\r\nHost: {}\r\n\r\n", served.page(), served.host);
        assert_eq!(code(&served.raw(request.as_bytes())), "405", "{method}");
        let stranger = format!("{method} / HTTP/1.1\r\nHost: {}\r\n\r\n", served.host);
        assert_eq!(code(&served.raw(stranger.as_bytes())), "403", "{method} without the key");
    }
    let head = format!("HEAD {} HTTP/1.1\r\nHost: {}\r\n\r\n", served.page(), served.host);
    let answer = served.raw(head.as_bytes());
    assert!(code(&answer) == "200" && answer.ends_with("\r\n\r\n"), "{answer}");
    for nonsense in ["\r\n\r\n", "GET\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        assert_eq!(code(&served.raw(nonsense.as_bytes())), "400", "{nonsense:?}");
    }
}

#[test]
fn every_answer_forbids_what_the_page_does_not_need() {
    let served = served(None);
    for answer in [served.get(&served.page(), ""), served.get("/", "")] {
        for header in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin",
            "Cache-Control: no-store",
        ] {
            assert!(answer.contains(header), "{header}: {answer}");
        }
        assert!(!answer.contains("Access-Control-Allow"));
    }
}

#[test]
fn long_and_slow_requests_are_let_go() {
    let served = served(None);
    let long = format!("GET {} HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", served.page(), served.host, "x".repeat(20_000));
    assert_eq!(code(&served.raw(long.as_bytes())), "431");
    let start = Instant::now();
    assert_eq!(code(&served.raw(b"GET / HT")), "408");
    assert!((4..9).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[test]
fn connections_are_bounded() {
    let served = served(None);
    let idle: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(&served.host).unwrap()).collect();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(code(&served.get(&served.page(), "")), "none", "there is no place left");
    drop(idle);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(code(&served.get(&served.page(), "")), "200");
}

#[test]
fn what_a_page_says_is_checked() {
    let served = served(None);
    let mut socket = served.socket();
    let hello = ask(&mut socket, json!({ "op": "hello", "versions": [1] }));
    assert_eq!(hello["ok"]["name"], "<img src=x onerror=alert(1)>.toml", "as it was written");
    for (message, code) in [
        (json!({ "op": "format" }), "unknown"),
        (json!({ "op": "set", "path": "topology.radix", "value": [9999, 9999] }), "fixed"),
        (json!({ "op": "set", "path": "run.memory_limit_mib", "value": 1 }), "fixed"),
        (json!({ "op": "set", "path": "traffic.load", "value": 1e9 }), "range"),
        (json!({ "op": "set", "path": "traffic.load", "value": "x" }), "range"),
        (json!({ "op": "set", "path": "traffic.pattern", "value": "no such pattern" }), "range"),
        (
            json!({ "op": "set", "path": "traffic.pattern", "value": { "kind": "table", "path": "/etc/passwd" } }),
            "range",
        ),
        (json!({ "op": "set", "path": "admission.no_such", "value": 1 }), "range"),
        (json!({ "op": "fork", "of": 3, "set": {} }), "variant"),
        (json!({ "op": "drop", "variant": 0 }), "variant"),
        (json!({ "op": "save", "variant": 0 }), "empty"),
    ] {
        let answer = ask(&mut socket, message.clone());
        assert!(answer["error"]["code"] == code || answer["error"]["code"] == "file", "{message}: {answer}");
    }
    assert_eq!(ask(&mut socket, json!({ "op": "step", "cycles": 100 }))["ok"]["cycle"], 100, "it lives");
}

#[test]
fn a_page_that_talks_too_much_is_let_go() {
    let served = served(None);
    let mut loud = served.socket();
    for _ in 0..400 {
        if loud.send(Message::text(r#"{"op":"select"}"#)).is_err() {
            break;
        }
    }
    let closed =
        (0..1000).any(|_| !matches!(loud.read(), Ok(Message::Text(_) | Message::Binary(_) | Message::Ping(_))));
    assert!(closed);
    let mut long = served.socket();
    let _ = long.send(Message::text("x".repeat(100_000)));
    assert!((0..1000).any(|_| !matches!(long.read(), Ok(Message::Text(_) | Message::Binary(_)))));
    let mut other = served.socket();
    assert!(ask(&mut other, json!({ "op": "hello" }))["ok"].is_object(), "the others stay");
}

#[test]
fn one_page_steers_and_others_watch() {
    let served = served(None);
    let (mut one, mut other) = (served.socket(), served.socket());
    assert_eq!(ask(&mut one, json!({ "op": "hello" }))["ok"]["steering"], true);
    assert_eq!(ask(&mut other, json!({ "op": "hello" }))["ok"]["steering"], false);
    assert_eq!(ask(&mut other, json!({ "op": "step", "cycles": 5 }))["error"]["code"], "watching");
    assert!(ask(&mut other, json!({ "op": "take" }))["ok"].is_object());
    assert_eq!(ask(&mut other, json!({ "op": "step", "cycles": 5 }))["ok"]["cycle"], 5);
}

#[test]
fn plays_are_written_into_the_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(Some(folder.path().to_owned()));
    let mut socket = served.socket();
    ask(&mut socket, json!({ "op": "hello" }));
    ask(&mut socket, json!({ "op": "step", "cycles": 500 }));
    let saved = ask(&mut socket, json!({ "op": "save", "variant": 0 }))["ok"].clone();
    let name = saved["name"].as_str().unwrap();
    assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)), "{name}");
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, [name]);
}

/// The play of a spec that was itself saved as `play-a-64.toml` in that folder.
#[test]
fn a_saved_play_replaces_neither_its_spec_nor_a_file_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("play-a-64.toml"), SPEC).unwrap();
    let served = served(Some(folder.path().to_owned()));
    let mut socket = served.socket();
    ask(&mut socket, json!({ "op": "hello" }));
    for (cycles, content) in [(64, SPEC), (36, "mine")] {
        ask(&mut socket, json!({ "op": "step", "cycles": cycles }));
        let cycle = if cycles == 64 { 64 } else { 100 };
        let file = folder.path().join(format!("play-a-{cycle}.toml"));
        std::fs::write(&file, content).unwrap();
        let said = ask(&mut socket, json!({ "op": "save", "variant": 0 }));
        assert!(said["error"].is_object(), "{said}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
    }
}

#[test]
fn the_end_of_the_server_is_told() {
    let served = served(None);
    let mut socket = served.socket();
    ask(&mut socket, json!({ "op": "hello" }));
    let start = Instant::now();
    served.stop.store(true, Ordering::Relaxed);
    let told = (0..1000)
        .map(|_| socket.read())
        .take_while(Result::is_ok)
        .flatten()
        .any(|message| message.to_string().contains("\"bye\""));
    assert!(told && start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(!served.url.is_empty());
}

#[test]
fn a_lesson_takes_the_place_of_what_is_played() {
    let served = served(None);
    let mut socket = served.socket();
    let hello = ask(&mut socket, json!({ "op": "hello", "versions": [1] }));
    assert_eq!(hello["ok"]["lessons"].as_array().unwrap().len(), 12);
    assert!(hello["ok"]["lessons"][0].get("shows").is_none());
    assert_eq!(ask(&mut socket, json!({ "op": "lesson", "number": 12 }))["error"]["code"], "lesson");
    assert_eq!(ask(&mut socket, json!({ "op": "lesson" }))["error"]["code"], "syntax");
    assert_eq!(ask(&mut socket, json!({ "op": "lesson", "number": 8 }))["ok"]["lesson"], 8);
    let hello = ask(&mut socket, json!({ "op": "hello", "versions": [1] }));
    assert_eq!(hello["ok"]["name"], "09-dragonfly.toml");
    let seek = ask(&mut socket, json!({ "op": "seek", "cycle": 300 }));
    assert_eq!(seek["ok"]["cycle"], 300);
    assert!(
        ask(&mut socket, json!({ "op": "save", "variant": 2 }))["ok"]["digest"].is_string(),
        "three points side by side"
    );
}
