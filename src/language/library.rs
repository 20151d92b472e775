//! A grammar out of a shared library, as `tree-sitter build`, Helix and Neovim make them: the other place with `unsafe`.
//!
//! Whoever loads a library runs its code. So it is done for the file in hand alone, only where the user's own
//! configuration says so, and only where nobody else can have written that configuration or the library.
#![expect(unsafe_code, reason = "each block says why it is sound")]

use std::path::Path;

use libloading::Library;
use tree_sitter::ffi::TSLanguage;
use tree_sitter::{LANGUAGE_VERSION, Language as Grammar, MIN_COMPATIBLE_LANGUAGE_VERSION};

use crate::places;

/// The grammar that the library `file` exports as `tree_sitter_` and `name`, with `_` for each `-`. It stays loaded until
/// the process ends. `config` is the file that names it.
///
/// Errors: a full sentence: somebody else can write one of the two, the library cannot be loaded, or holds no grammar of
/// this name, or one of a version that stk cannot use.
pub fn load(file: &Path, name: &str, config: &Path) -> Result<Grammar, String> {
    let shown = file.display();
    for path in [config, file] {
        places::written_by_nobody_else(path).map_err(|error| format!("{shown}: is not loaded: {error}"))?;
    }
    let symbol = format!("tree_sitter_{}", name.replace('-', "_"));
    // Sound as far as the library is a grammar, whose loading runs nothing but what its own language's runtime sets up:
    // who says that it is one, is the user who runs this, in a file that nobody else can write. It is never unloaded.
    let library = unsafe { open(file) }.map_err(|error| format!("{shown}: cannot be loaded: {}", reason(&error)))?;
    let library = std::mem::ManuallyDrop::new(library);
    // Sound: so is every function of this name declared that tree-sitter generates; it only returns an address.
    let language = unsafe {
        let function = library.get::<unsafe extern "C" fn() -> *const TSLanguage>(&symbol);
        function.map_err(|_| format!("{shown}: exports no {symbol}; name the language as its grammar is named"))?()
    };
    if language.is_null() {
        return Err(format!("{shown}: {symbol} returns no grammar"));
    }
    // Sound: it is not null, and tables that are static in a library which stays loaded live as long as the process. A
    // grammar of any version begins with its number, which is all that is read of it before it is known to be right.
    let grammar = unsafe { Grammar::from_raw(language) };
    let version = grammar.abi_version();
    if (MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION).contains(&version) {
        return Ok(grammar);
    }
    // Letting go of a grammar reads more of it.
    std::mem::forget(grammar);
    Err(format!(
        "{shown}: its grammar has ABI version {version}, and stk reads {MIN_COMPATIBLE_LANGUAGE_VERSION} to {LANGUAGE_VERSION}; \
         generate it anew with a tree-sitter of that range"
    ))
}

/// All that the library needs is looked for at once: what is found missing later on ends the process.
#[cfg(unix)]
unsafe fn open(file: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix;
    // Sound: as where it is called.
    unsafe { unix::Library::open(Some(file), unix::RTLD_NOW | unix::RTLD_LOCAL) }.map(Library::from)
}

#[cfg(not(unix))]
unsafe fn open(file: &Path) -> Result<Library, libloading::Error> {
    // Sound: as where it is called.
    unsafe { Library::new(file) }
}

/// What the system says, without what it and the crate put before it.
fn reason(error: &libloading::Error) -> String {
    let mut source: &dyn std::error::Error = error;
    while let Some(inner) = source.source() {
        source = inner;
    }
    source.to_string()
}
