//! How the program is linked: without the ability to be loaded anywhere, where that is safe to ask for.
//!
//! The hook is a new process for each Read. A position-independent program must be relocated when it starts, and the
//! tables of the grammars hold some ten thousand pointers, so that every start touches all their pages: 50 page faults
//! and a tenth of the time of a whole start. (`-C relocation-model=static` does the same, but cannot be asked for in a
//! file without breaking procedural macros.)

fn main() {
    println!("cargo::rerun-if-changed=.cargo/build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
