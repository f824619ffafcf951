//! Temporary.
use std::sync::atomic::AtomicBool;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let quick = args.iter().any(|a| a == "--quick");
    let out = args.iter().find_map(|a| a.strip_prefix("--out=")).map(str::to_owned);
    let items = args.iter().filter(|a| !a.starts_with("--")).cloned().collect();
    let cancel = AtomicBool::new(false);
    let start = std::time::Instant::now();
    let progress = |p: tailback_studies::Progress<'_>| {
        if p.done == 0 || p.done == p.total {
            eprintln!("{:.1?} {} {}/{}", start.elapsed(), p.item, p.done, p.total)
        }
    };
    let settings = tailback_studies::Settings { items, quick, threads: 2, cancel: &cancel, progress: &progress };
    let study = tailback_studies::reproduce(tailback_studies::papers()[0], &settings).unwrap_or_else(|e| panic!("{e}"));
    println!("{}", study.text());
    eprintln!("{:.1?} failed {}", start.elapsed(), study.failed());
    if let Some(out) = out {
        std::fs::create_dir_all(&out).unwrap();
        for f in &study.figures {
            std::fs::write(format!("{out}/{}.png", f.name), f.png.as_ref().unwrap()).unwrap();
        }
        std::fs::write(format!("{out}/results.md"), study.markdown()).unwrap();
        std::fs::write(format!("{out}/results.jsonl"), study.json_lines()).unwrap();
        std::fs::write(format!("{out}/report.html"), study.report().html()).unwrap();
    }
}
