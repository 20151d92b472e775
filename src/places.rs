//! Where stk keeps its files, and how it creates them: nobody else may read them.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the session store and the statistics: `$STK_DATA_DIR`, or `stk` in the user's local data folder.
pub fn data_dir() -> Option<PathBuf> {
    variable("STK_DATA_DIR").map(PathBuf::from).or_else(|| Some(dirs::data_local_dir()?.join("stk")))
}

/// The folder of `config.toml` and `queries/`: `$STK_CONFIG_DIR`, or `stk` in the user's configuration folder.
pub fn config_dir() -> Option<PathBuf> {
    variable("STK_CONFIG_DIR").map(PathBuf::from).or_else(|| Some(dirs::config_dir()?.join("stk")))
}

/// An environment variable; an empty one counts as none.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Opens a file for reading and appending, and creates it and its folders where they are missing: folders for the user
/// alone (0700), the file too (0600).
pub fn open_to_append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_folders(path.parent().unwrap_or(path))?;
            options.open(path)
        }
        opened => opened,
    }
}

fn create_folders(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
