//! What the language cannot do, asked of the system: with `grammar_library`, the one place with `unsafe`.
//!
//! A Rust program ends in an abort where memory runs out or a stack overflows, and so does tree-sitter; a fault in a
//! grammar's C code kills it, and so does a limit on the size of files or on time; a disk that does not answer holds it
//! for ever. Nothing of that can be caught, and Claude Code would show an error for each Read. So inside the hook these
//! signals end the process as every other fault does: in silence, with exit 0. Unix only: Windows has no such signals,
//! and there Claude Code's own timeout and its notice have to do.
#![cfg_attr(unix, expect(unsafe_code, reason = "each block says why it is sound"))]

/// From now on the process ends with exit 0 where it would crash, and after so many seconds, whatever it waits for.
#[cfg(unix)]
pub fn end_in_silence(seconds: u32) {
    const FATAL: [libc::c_int; 8] =
        [libc::SIGABRT, libc::SIGALRM, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV, libc::SIGXCPU, libc::SIGXFSZ];
    // Sound: an all-zero `sigaction` is one without flags and with nothing blocked; it and its handler outlive the call;
    // where the system refuses a signal, its default stays.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end as extern "C" fn(libc::c_int) as *const () as usize;
        // An overflowing stack has no room for a handler; Rust gives each of its threads another one.
        action.sa_flags = libc::SA_ONSTACK;
        for signal in FATAL {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
        libc::alarm(seconds);
    }
}

/// Nothing that needs memory or a lock: the process may be in any state.
#[cfg(unix)]
extern "C" fn end(_signal: libc::c_int) {
    // Sound: `_exit` may be called from a signal handler (POSIX: async-signal-safe), and does not return.
    unsafe { libc::_exit(0) }
}

/// Nothing to do here.
#[cfg(not(unix))]
pub fn end_in_silence(_seconds: u32) {}

/// The user that files which the process creates belong to.
#[cfg(unix)]
pub fn user() -> u32 {
    // Sound: it takes nothing and cannot fail.
    unsafe { libc::geteuid() }
}
