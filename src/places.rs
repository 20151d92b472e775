//! Where stk keeps its files, and how it opens them: nobody else may read what it keeps, and what somebody else could
//! have put there is not taken for its own.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::file;
#[cfg(unix)]
use crate::last_resort;

/// Bytes of a configuration or a query of the user's own, at most.
const MAX_SETTINGS: u64 = 1024 * 1024;

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

/// The user's home folder, where Claude Code looks for it: on Windows the environment comes first.
pub fn home() -> Option<PathBuf> {
    let profile = if cfg!(windows) { variable("USERPROFILE") } else { None };
    profile.map(PathBuf::from).or_else(dirs::home_dir)
}

/// Opens a file of the store for reading and appending, and creates it and its folders where they are missing: folders
/// for the user alone (0700), the file too (0600).
///
/// Errors: those of the system; the file is a symlink or no regular file; it or a folder it lies in is not to be trusted.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match open_own(path, options.clone()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_folders(path.parent().unwrap_or(path))?;
            open_own(path, options)
        }
        opened => opened,
    }
}

/// Opens a file of the store for reading. Errors: as for [`open_to_append`].
pub fn open_to_read(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    open_own(path, options)
}

/// Reads what the user has set: the configuration, or a query. It may be a symlink, as those who keep theirs in a
/// repository have it.
///
/// Errors: those of the system; it is no regular file, is over 1 MiB, or it or its folder is not to be trusted.
pub fn read_settings(path: &Path) -> io::Result<Vec<u8>> {
    let file = file::open(path)?;
    let metadata = file.metadata()?;
    trusted(&metadata)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        trusted_folder(folder)?;
    }
    if metadata.len() > MAX_SETTINGS {
        return Err(io::Error::other(format!("it is larger than {MAX_SETTINGS} bytes")));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.take(MAX_SETTINGS).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_own(path: &Path, mut options: OpenOptions) -> io::Result<File> {
    // That of the sessions, and that which holds it and the statistics.
    for folder in path.ancestors().skip(1).take(2).filter(|folder| !folder.as_os_str().is_empty()) {
        trusted_folder(folder)?;
    }
    file::never_wait(&mut options, true);
    #[cfg(not(unix))]
    if path.is_symlink() {
        return Err(io::Error::other("it is a symlink"));
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    trusted(&metadata)?;
    Ok(file)
}

/// A folder that is not there yet can be trusted: it will be ours.
fn trusted_folder(folder: &Path) -> io::Result<()> {
    let metadata = match folder.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    trusted(&metadata)?;
    if metadata.is_symlink() { trusted(&folder.metadata()?) } else { Ok(()) }
}

/// Whether only the user and the administrator can have made a file what it is.
#[cfg(unix)]
fn trusted(metadata: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    const FOR_EVERYONE: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let refused = |why| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    let is_open = metadata.mode() & FOR_EVERYONE != 0 && !metadata.is_symlink();
    if metadata.uid() != 0 && metadata.uid() != last_resort::user() {
        refused("it belongs to another user")
    } else if is_open && !(metadata.is_dir() && metadata.mode() & STICKY != 0) {
        refused("everyone may write to it")
    } else {
        Ok(())
    }
}

/// Elsewhere a user's own folders are closed to others from the beginning.
#[cfg(not(unix))]
fn trusted(_: &Metadata) -> io::Result<()> {
    Ok(())
}

fn create_folders(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_is_neither_read_nor_written() {
        let folder = tempfile::tempdir().unwrap();
        let sub = folder.path().join("sub");
        std::fs::create_dir(&sub).unwrap();
        assert!(open_to_append(&sub).is_err() && open_to_read(&sub).is_err() && read_settings(&sub).is_err());
        assert_eq!(read_settings(&folder.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        let huge = folder.path().join("huge");
        File::create(&huge).unwrap().set_len(MAX_SETTINGS + 1).unwrap();
        assert!(read_settings(&huge).unwrap_err().to_string().contains("larger than"));
    }

    #[cfg(unix)]
    mod on_unix {
        use std::os::unix::fs::{PermissionsExt, symlink};
        use std::process::Command;

        use super::*;

        fn set_mode(path: &Path, mode: u32) {
            path.metadata().unwrap();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }

        #[test]
        fn the_store_takes_no_symlink_and_the_settings_do() {
            let folder = tempfile::tempdir().unwrap();
            let (target, link) = (folder.path().join("target"), folder.path().join("link"));
            std::fs::write(&target, "text").unwrap();
            symlink(&target, &link).unwrap();
            assert!(open_to_append(&link).is_err() && open_to_read(&link).is_err());
            assert_eq!(read_settings(&link).unwrap(), b"text");
            assert!(read_settings(Path::new("/dev/zero")).is_err());
        }

        #[test]
        fn a_fifo_is_not_waited_for() {
            let folder = tempfile::tempdir().unwrap();
            let fifo = folder.path().join("fifo");
            assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
            assert!(open_to_append(&fifo).is_err() && open_to_read(&fifo).is_err() && read_settings(&fifo).is_err());
        }

        #[test]
        fn what_everyone_may_write_to_is_not_trusted() {
            let folder = tempfile::tempdir().unwrap();
            let open = folder.path().join("open");
            std::fs::create_dir(&open).unwrap();
            let file = open.join("file");
            std::fs::write(&file, "text").unwrap();
            set_mode(&file, 0o666);
            assert!(open_to_read(&file).is_err() && read_settings(&file).is_err());
            set_mode(&file, 0o664);
            assert!(open_to_read(&file).is_ok() && read_settings(&file).is_ok());
            set_mode(&open, 0o777);
            assert!(open_to_append(&file).is_err() && read_settings(&file).is_err());
            set_mode(&open, 0o1777);
            assert!(open_to_append(&file).is_ok() && read_settings(&file).is_ok(), "as in /tmp nobody can replace it");
        }

        #[test]
        fn what_belongs_to_another_user_is_not_trusted() {
            let folder = tempfile::tempdir().unwrap();
            let mine = folder.path().join("mine");
            std::fs::create_dir(&mine).unwrap();
            let file = mine.join("file");
            std::fs::write(&file, "text").unwrap();
            let (foreign, link) = (folder.path().join("foreign"), folder.path().join("link"));
            symlink(&mine, &link).unwrap();
            assert!(open_to_append(&link.join("file")).is_ok(), "a symlink of one's own to a folder of one's own");
            let give_away = |path: &Path| std::os::unix::fs::lchown(path, Some(12_345), None).is_ok();
            if !give_away(&link) {
                return; // Only root can play another user.
            }
            let refused =
                |path: &Path| open_to_append(path).is_err() && open_to_read(path).is_err() && read_settings(path).is_err();
            assert!(refused(&link.join("file")), "a symlink of another user's to a folder of one's own");
            assert!(give_away(&file) && refused(&file));
            std::fs::create_dir(&foreign).unwrap();
            assert!(give_away(&foreign) && refused(&foreign.join("file")) && !foreign.join("file").exists());
        }
    }
}
