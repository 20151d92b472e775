//! How the program is linked: so that it starts fast. The hook is a new process for each Read, and half of what a small one
//! costs is what the loader does.
//!
//! - Without the ability to be loaded anywhere, where that is safe to ask for. A position-independent program must be
//!   relocated when it starts, and the tables of the grammars hold some ten thousand pointers, so that every start touches
//!   all their pages: 50 page faults and a tenth of the time of a whole start. (`-C relocation-model=static` does the same,
//!   but cannot be asked for in a file without breaking procedural macros.)
//! - With what unwinds the stack built in, so that there is one shared library less to find, to map and to bind: a seventh
//!   of the time of a whole start.

use std::env;
use std::path::Path;
use std::process::Command;

/// What unwinds the stack, as GCC and Clang find it.
const UNWINDER: &str = "libgcc_eh.a";

fn main() {
    println!("cargo::rerun-if-changed=.cargo/build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // A compiler for another machine would have another one.
    if env::var("HOST") == env::var("TARGET")
        && let Some(folder) = folder_of_unwinder()
    {
        println!("cargo::rustc-link-search=native={folder}");
        println!("cargo::rustc-link-lib=static:-bundle,+verbatim={UNWINDER}");
    }
}

/// None: there is none, and the shared library serves.
fn folder_of_unwinder() -> Option<String> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(compiler).arg(format!("-print-file-name={UNWINDER}")).output().ok()?;
    let file = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new(file.trim_end()).parent().filter(|folder| folder.is_absolute())?;
    folder.join(UNWINDER).is_file().then(|| folder.display().to_string())
}
