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

/// Who may write, in a file's mode.
#[cfg(unix)]
const FOR_GROUP: u32 = 0o020;
#[cfg(unix)]
const FOR_EVERYONE: u32 = 0o002;

/// As many as Linux follows.
#[cfg(unix)]
const MAX_SYMLINKS: usize = 40;

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

/// Whether nobody but the user and the administrator can have written a file, or can put another one in its place: for
/// what is not only read but run. It has to be named from the root; symlinks are followed, and each folder on the way
/// counts. Where the group is the user's own, as Debian and Fedora make one for each user, it may write too.
///
/// Errors: those of the system; somebody else can, with the path and what to do.
#[cfg(unix)]
pub fn written_by_nobody_else(path: &Path) -> io::Result<()> {
    written_by_nobody_else_within(path, MAX_SYMLINKS)
}

/// Elsewhere a user's own folders are closed to others from the beginning.
#[cfg(not(unix))]
pub fn written_by_nobody_else(path: &Path) -> io::Result<()> {
    is_absolute(path)?;
    path.metadata().map(drop)
}

fn is_absolute(path: &Path) -> io::Result<()> {
    let message = || format!("{} is not named from the root, so that it depends on the current folder", path.display());
    if path.is_absolute() { Ok(()) } else { Err(io::Error::other(message())) }
}

#[cfg(unix)]
fn written_by_nobody_else_within(path: &Path, symlinks: usize) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    is_absolute(path)?;
    for part in path.ancestors() {
        let at = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", part.display()));
        let metadata = part.symlink_metadata().map_err(at)?;
        trusted(&metadata).map_err(at)?;
        if metadata.is_symlink() {
            let left = symlinks.checked_sub(1).ok_or_else(|| at(io::Error::other("it is a symlink to too many others")))?;
            let target = part.read_link().map_err(at)?;
            written_by_nobody_else_within(&part.parent().unwrap_or(part).join(target), left)?;
        } else if metadata.mode() & FOR_GROUP != 0 && metadata.gid() != metadata.uid() && !is_sticky(&metadata) {
            let why = "its group may write to it; `chmod g-w` takes that away";
            return Err(at(io::Error::new(io::ErrorKind::PermissionDenied, why)));
        }
    }
    Ok(())
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
    let refused = |why| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    let is_open = metadata.mode() & FOR_EVERYONE != 0 && !metadata.is_symlink();
    if metadata.uid() != 0 && metadata.uid() != last_resort::user() {
        refused("it belongs to another user")
    } else if is_open && !is_sticky(metadata) {
        refused("everyone may write to it")
    } else {
        Ok(())
    }
}

/// Whether in this folder nobody can replace what is another's.
#[cfg(unix)]
fn is_sticky(metadata: &Metadata) -> bool {
    const STICKY: u32 = 0o1000;
    metadata.is_dir() && std::os::unix::fs::MetadataExt::mode(metadata) & STICKY != 0
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
        fn what_is_run_must_be_beyond_reach_with_all_that_leads_to_it() {
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path().canonicalize().unwrap();
            for name in ["a/b", "elsewhere"] {
                std::fs::create_dir_all(folder.join(name)).unwrap();
            }
            let (file, link) = (folder.join("a/b/file"), folder.join("a/link"));
            std::fs::write(&file, "text").unwrap();
            symlink("../elsewhere/link", &link).unwrap();
            symlink(&file, folder.join("elsewhere/link")).unwrap();
            assert!(written_by_nobody_else(&file).is_ok() && written_by_nobody_else(&link).is_ok());
            for (name, mode, back) in
                [("a/b/file", 0o646, 0o644), ("a/b", 0o757, 0o755), ("a", 0o757, 0o755), ("elsewhere", 0o777, 0o755)]
            {
                set_mode(&folder.join(name), mode);
                let error = written_by_nobody_else(&link).unwrap_err().to_string();
                assert!(error.ends_with(&format!("/{name}: everyone may write to it")), "{error}");
                set_mode(&folder.join(name), back);
            }
            symlink("loop", folder.join("loop")).unwrap();
            for path in [Path::new("Cargo.toml"), &folder.join("none"), &folder.join("loop")] {
                assert!(written_by_nobody_else(path).is_err(), "{}", path.display());
            }
            set_mode(&file, 0o664);
            if std::os::unix::fs::chown(&file, None, Some(12_345)).is_ok() {
                let error = written_by_nobody_else(&file).unwrap_err().to_string();
                assert!(error.contains("its group may write to it"), "{error}");
            }
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
