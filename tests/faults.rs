//! Faults that need no other user, no limit and no file system of their own: whatever stands where stk's files should be,
//! and whatever kind of file is read. The others: `.ci/faults`.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{Machine, python};
use serde_json::json;

const SESSION: &str = "data/sessions/5d0c2f1e-0000-4000-8000-00000000000a.jsonl";

/// A machine with a project of one big file.
fn machine() -> (Machine, std::path::PathBuf) {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(120));
    (machine, big)
}

/// What may stand in a file's place, and how to put it there.
type OddFile = (&'static str, fn(&Path));

/// Puts something of another kind in a file's place: a folder, and on Unix a FIFO, a socket and symlinks.
fn odd_files() -> Vec<OddFile> {
    let everywhere: [OddFile; 1] = [("a folder", |path| std::fs::create_dir(path).unwrap())];
    #[cfg(not(unix))]
    let more: [OddFile; 0] = [];
    #[cfg(unix)]
    let more: [OddFile; 5] = {
        use std::os::unix::fs::symlink;
        [
            ("a FIFO", |path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success())),
            ("a socket", |path| drop(std::os::unix::net::UnixListener::bind(path).unwrap())),
            ("a symlink to a device", |path| symlink("/dev/zero", path).unwrap()),
            ("a symlink to nothing", |path| symlink("/nonexistent/file", path).unwrap()),
            ("a symlink to itself", |path| symlink(path.file_name().unwrap(), path).unwrap()),
        ]
    };
    everywhere.into_iter().chain(more).collect()
}

fn remove(path: &Path) {
    if path.is_dir() && !path.is_symlink() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
}

#[test]
fn whatever_stands_where_the_store_should_be_the_decision_is_made_without_it() {
    let (machine, big) = machine();
    for place in [SESSION, "data/stats.jsonl", "data/sessions", "data"] {
        for (what, put) in odd_files() {
            let path = machine.path(place);
            if path.exists() {
                remove(&path);
            }
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            put(&path);
            let start = Instant::now();
            assert!(machine.read(&big).is_outline(), "{place} is {what}");
            // Folders are what these two should be, and without statistics there still is a session.
            let works = place == "data/stats.jsonl" || what == "a folder" && place != SESSION;
            assert_eq!(machine.read(&big).is_notice(), works, "{place} is {what}");
            assert!(start.elapsed() < Duration::from_secs(20), "{place} is {what}: something was waited for");
            remove(&path);
        }
    }
}

#[cfg(unix)]
#[test]
fn the_store_writes_through_no_symlink() {
    use std::os::unix::fs::symlink;
    let (machine, big) = machine();
    let target = machine.write("target.jsonl", "precious\n");
    std::fs::create_dir_all(machine.path("data/sessions")).unwrap();
    for place in [SESSION, "data/stats.jsonl", "data/sessions/.pruned"] {
        symlink(&target, machine.path(place)).unwrap();
    }
    for _ in 0..2 {
        assert!(machine.read(&big).is_outline());
    }
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious\n");
}

#[test]
fn settings_that_are_no_file_count_as_malformed_and_are_named() {
    let (machine, big) = machine();
    for (what, put) in odd_files() {
        let path = machine.path("config/config.toml");
        put(&path);
        // A link to nothing is how some tools leave what they have removed.
        let passes = what != "a symlink to nothing";
        assert_eq!(machine.read_with(&big, json!({ "session_id": null })).is_pass(), passes, "config.toml is {what}");
        let run = machine.run(&["config"], b"");
        assert_eq!(run.code, Some(i32::from(passes)), "config.toml is {what}: {run:?}");
        assert!(!passes || run.stderr.contains("config.toml"), "{}", run.stderr);
        remove(&path);
    }
    machine.write("config/config.toml", "#".repeat(2_000_000));
    assert!(machine.read(&big).is_pass());
    assert!(machine.run(&["config"], b"").stderr.contains("larger than"));
}

#[test]
fn a_query_that_is_no_file_gives_way_to_the_built_in_one() {
    let (machine, big) = machine();
    let expected = machine.read_with(&big, json!({ "session_id": null }));
    std::fs::create_dir_all(machine.path("config/queries/python")).unwrap();
    for (what, put) in odd_files() {
        let path = machine.path("config/queries/python/outline.scm");
        put(&path);
        assert_eq!(machine.read_with(&big, json!({ "session_id": null })), expected, "outline.scm is {what}");
        remove(&path);
    }
}

#[test]
fn what_is_no_regular_file_passes_at_once() {
    let (machine, _) = machine();
    for (what, put) in odd_files() {
        let path = machine.path("project/odd.py");
        put(&path);
        let start = Instant::now();
        assert!(machine.read(&path).is_pass(), "{what}");
        assert!(start.elapsed() < Duration::from_secs(3), "{what} was waited for");
        remove(&path);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_kernel_makes_up_passes() {
    let (machine, _) = machine();
    for path in [
        "/proc/self/environ",
        "/proc/self/maps",
        "/proc/cpuinfo",
        "/proc/kallsyms",
        "/proc/kmsg",
        "/proc/self/mem",
        "/proc/self/fd/0",
        "/proc/self/exe",
        "/proc/self/root",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/sys/power/state",
        "/dev/null",
        "/dev/zero",
        "/dev/random",
        "/dev/tty",
        "/dev/stdin",
        "/dev/fd/0",
        "/proc/1/cwd",
        "/proc/self/cwd/../../nothing",
    ] {
        let start = Instant::now();
        assert!(machine.read_with(Path::new(path), json!({ "permission_mode": "bypassPermissions" })).is_pass(), "{path}");
        assert!(start.elapsed() < Duration::from_secs(3), "{path} was waited for");
    }
}

#[cfg(unix)]
#[test]
fn a_standard_input_that_says_nothing_is_waited_for_until_the_deadline() {
    use std::process::Stdio;
    let (machine, _) = machine();
    let start = Instant::now();
    let mut child = machine.command(&["hook", "claude"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!((3..10).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn a_crash_ends_in_silence_inside_the_hook_alone() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    let (machine, _) = machine();
    let die = |arguments: &[&str], signal: &str| {
        let mut command = machine.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It waits for its standard input; until then its signals may not be set.
        std::thread::sleep(Duration::from_millis(500));
        assert!(std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let stdin = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        (output.status, output.stdout.len())
    };
    for signal in ["-ABRT", "-BUS", "-FPE", "-ILL", "-SEGV", "-XCPU", "-XFSZ", "-ALRM"] {
        let (status, printed) = die(&["hook", "claude"], signal);
        assert_eq!((status.code(), printed), (Some(0), 0), "{signal}");
    }
    assert!(die(&["outline", "-"], "-ABRT").0.signal().is_some());
}

#[test]
fn a_store_full_of_foreign_lines_is_read_and_kept() {
    let (machine, big) = machine();
    let mut foreign = b"\x00\xff\xfe\n{}\n[]\nnull\n\n\n{\"ts\":1}\n".to_vec();
    foreign.extend(format!("{{\"ts\":1,\"file\":{:?},\"action\":\"clamp\",\"hash\":7}}\n", big.to_str().unwrap()).bytes());
    foreign.extend("x".repeat(3_000_000).bytes());
    machine.write(SESSION, &foreign);
    assert!(machine.read(&big).is_outline());
    assert!(machine.read(&big).is_notice());
    let kept = std::fs::read(machine.path(SESSION)).unwrap();
    assert!(kept.starts_with(&foreign) && kept.len() > foreign.len());
    assert_eq!(kept[foreign.len()], b'\n', "the first record begins on a line of its own");
}

#[test]
fn a_sparse_file_is_no_text() {
    let (machine, _) = machine();
    for size in [20_000_u64, 5 << 20] {
        let sparse = machine.path("project/sparse.py");
        std::fs::File::create(&sparse).unwrap().set_len(size).unwrap();
        assert!(machine.read(&sparse).is_pass());
    }
}
