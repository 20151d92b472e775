//! Whole processes against the budget: `cargo bench --bench budget -- [--check] [--runs N] [--files FOLDER] [--peer COMMAND]`
//!
//! Starts `stk hook claude` anew for each read, as Claude Code does, in turn with an empty program and with `ctags` (where
//! it is installed) on the same file, and prints the medians and the ratios. Times on a busy machine mean little, ratios of
//! the same run do. With `--check` a target that is missed fails; without it nothing does.
//!
//! Files: the largest fixture of each language, repeated up to several sizes; or those in `--files FOLDER`, as they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use stk::language::{self, Language};
use tempfile::TempDir;

/// Sizes up to which a fixture is repeated; bytes.
const SIZES: [usize; 4] = [18 << 10, 48 << 10, 128 << 10, 250 << 10];

fn main() {
    let options = Options::of(std::env::args().skip(1));
    let place = TempDir::new().unwrap();
    let machine = Machine::new(place.path());
    let mut missed = Vec::new();

    println!("{:<34} {:>8} {:>8} {:>8} {:>7} {:>7}", "what", "bytes", "stk ms", "empty ms", "/empty", "/ctags");
    let small = machine.write("small.rs", b"fn main() {}\n");
    let big = machine.write("range.rs", &b"fn f() {}\n".repeat(4000));
    for (what, payload, limit) in
        [("a ranged read", machine.payload(&big, true), 1.1), ("a small file", machine.payload(&small, false), 1.3)]
    {
        let times = machine.race(&[Program::stk(&payload), machine.empty()], options.runs);
        let ratio = times[0].over(&times[1]);
        println!("{what:<34} {:>8} {:>8.2} {:>8.2} {ratio:>7.2}", "", times[0].median(), times[1].median());
        if ratio > limit {
            missed.push(format!("{what}: {ratio:.2} times an empty program, at most {limit}"));
        }
    }
    for (language, name, content) in files(&options) {
        let file = machine.write(&name, &content);
        let payload = machine.payload(&file, false);
        let mut programs = vec![Program::stk(&payload), machine.empty()];
        programs.extend(Program::ctags(&file));
        programs.extend(options.peer.as_ref().map(|peer| Program::peer(peer, &payload)));
        let times = machine.race(&programs, options.runs);
        let by_ctags = times.get(2).map(|ctags| times[0].over(ctags));
        println!(
            "{:<34} {:>8} {:>8.2} {:>8.2} {:>7.2} {:>7} {}",
            format!("{} {name}", language.name),
            content.len(),
            times[0].median(),
            times[1].median(),
            times[0].over(&times[1]),
            by_ctags.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            times.get(3).map_or(String::new(), |peer| format!("/peer {:.2}", times[0].over(peer))),
        );
        let limit = if content.len() > 64 << 10 && language.name == "cpp" { 12.0 } else { 10.0 };
        if times[0].median() > limit {
            missed.push(format!("{name}: {:.1} ms, at most {limit}", times[0].median()));
        }
        if content.len() <= 64 << 10 && by_ctags.is_some_and(|ratio| ratio > 0.8) {
            missed.push(format!("{name}: {:.2} times ctags, at most 0.8", by_ctags.unwrap_or_default()));
        }
    }
    println!("\n{} runs each, in turn; medians, and medians of the ratios pair by pair", options.runs);
    for fault in &missed {
        println!("missed: {fault}");
    }
    if options.check && !missed.is_empty() {
        std::process::exit(1);
    }
}

struct Options {
    check: bool,
    runs: usize,
    files: Option<PathBuf>,
    peer: Option<String>,
}

impl Options {
    fn of(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self { check: false, runs: 30, files: None, peer: None };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--check" => options.check = true,
                "--runs" => options.runs = arguments.next().and_then(|runs| runs.parse().ok()).expect("--runs takes a number"),
                "--files" => options.files = Some(arguments.next().expect("--files takes a folder").into()),
                "--peer" => options.peer = Some(arguments.next().expect("--peer takes a command")),
                // What cargo itself says to every bench.
                "--bench" => {}
                other => panic!("{other} is no option of this bench; there are --check, --runs, --files and --peer"),
            }
        }
        options
    }
}

fn files(options: &Options) -> Vec<(&'static Language, String, Vec<u8>)> {
    if let Some(folder) = &options.files {
        let mut paths: Vec<_> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
        paths.sort();
        let read = |path: &PathBuf| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let content = std::fs::read(path).unwrap();
            Some((language::of_file(&name, &content)?, name, content))
        };
        return paths.iter().filter_map(read).collect();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut files = Vec::new();
    for language in language::all().iter().filter(|language| language.grammar().is_some()) {
        let Ok(entries) = root.join(language.name).read_dir() else { continue };
        let sources =
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end != "outline"));
        let Some(largest) = sources.max_by_key(|path| path.metadata().unwrap().len()) else { continue };
        let text = std::fs::read(&largest).unwrap();
        let extension = largest.extension().unwrap().to_string_lossy().into_owned();
        for size in SIZES {
            let content = text.repeat((size / text.len()).max(1));
            files.push((language, format!("{}k.{extension}", content.len() >> 10), content));
        }
    }
    files
}

/// A project and stk's places in a temporary folder.
struct Machine<'p> {
    folder: &'p Path,
}

/// A program with what it reads on stdin. Each run is a session of its own, so that nothing is a repetition.
struct Program {
    command: Vec<String>,
    payload: Option<String>,
}

struct Times(Vec<Duration>);

impl Machine<'_> {
    fn new(folder: &Path) -> Machine<'_> {
        let source = folder.join("empty.rs");
        std::fs::write(&source, "fn main() {}\n").unwrap();
        let built = Command::new("rustc").arg("-O").arg("-o").arg(folder.join("empty")).arg(&source).status();
        assert!(built.is_ok_and(|status| status.success()), "rustc cannot build an empty program");
        std::fs::create_dir_all(folder.join("project")).unwrap();
        Machine { folder }
    }

    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.join("project").join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn payload(&self, file: &Path, ranged: bool) -> String {
        let mut input = json!({ "file_path": file });
        if ranged {
            input["offset"] = 1.into();
            input["limit"] = 20.into();
        }
        json!({
            "session_id": "SESSION", "transcript_path": self.folder.join("t/s.jsonl"), "cwd": self.folder.join("project"),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": input,
        })
        .to_string()
    }

    fn empty(&self) -> Program {
        Program { command: vec![self.folder.join("empty").to_string_lossy().into_owned()], payload: None }
    }

    /// The times of each program, run in turn; the first round is not counted.
    fn race(&self, programs: &[Program], runs: usize) -> Vec<Times> {
        let mut times: Vec<Times> = programs.iter().map(|_| Times(Vec::with_capacity(runs))).collect();
        for run in 0..=runs {
            for (program, times) in programs.iter().zip(&mut times) {
                let time = self.time(program, run);
                if run > 0 {
                    times.0.push(time);
                }
            }
        }
        times
    }

    fn time(&self, program: &Program, run: usize) -> Duration {
        let input = self.folder.join("stdin.json");
        std::fs::write(&input, program.payload.as_deref().unwrap_or_default().replace("SESSION", &format!("run-{run}"))).unwrap();
        let mut command = Command::new(&program.command[0]);
        command
            .args(&program.command[1..])
            .env("STK_DATA_DIR", self.folder.join("data"))
            .env("STK_CONFIG_DIR", self.folder.join("config"))
            .stdin(std::fs::File::open(&input).unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let status = command.status().unwrap_or_else(|error| panic!("{}: {error}", program.command[0]));
        let time = start.elapsed();
        assert!(status.success(), "{:?}: {status}", program.command);
        time
    }
}

impl Program {
    fn stk(payload: &str) -> Self {
        let command = [env!("CARGO_BIN_EXE_stk"), "hook", "claude"].map(str::to_owned).to_vec();
        Program { command, payload: Some(payload.to_owned()) }
    }

    fn ctags(file: &Path) -> Option<Self> {
        Command::new("ctags").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        let mut command = ["ctags", "--options=NONE", "--fields=+ne", "-f", "-"].map(str::to_owned).to_vec();
        if file.extension().is_some_and(|extension| extension == "tsx") {
            command.push("--language-force=TypeScript".to_owned());
        }
        command.push(file.to_string_lossy().into_owned());
        Some(Program { command, payload: None })
    }

    fn peer(command: &str, payload: &str) -> Self {
        Program { command: command.split_whitespace().map(str::to_owned).collect(), payload: Some(payload.to_owned()) }
    }
}

impl Times {
    /// In milliseconds.
    fn median(&self) -> f64 {
        middle(self.0.iter().map(Duration::as_secs_f64).collect()) * 1e3
    }

    fn over(&self, other: &Self) -> f64 {
        middle(self.0.iter().zip(&other.0).map(|(a, b)| a.as_secs_f64() / b.as_secs_f64()).collect())
    }
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
