//! The files of a folder, without those that ignore rules leave out, always in the same order.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// The regular files in `folder` and below, sorted by name, folder by folder. Hidden files and what `.gitignore`,
/// `.ignore` and git's own settings name are left out; symlinks are not followed.
///
/// An item is an error, a full sentence, where a folder cannot be read or an ignore file does not read.
pub fn files(folder: &Path) -> impl Iterator<Item = Result<PathBuf, String>> + use<> {
    // Also where there is no repository: the rules say what is not source wherever they lie.
    let walk = WalkBuilder::new(folder).require_git(false).sort_by_file_name(Ord::cmp).build();
    // A folder named `.` is where we are: its name says nothing in front of others.
    let here = folder == Path::new(".");
    walk.filter_map(move |entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(format!("{error}"))),
        };
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let path = entry.into_path();
        is_file.then(|| Ok(path.strip_prefix(".").ok().filter(|_| here).map(Path::to_owned).unwrap_or(path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_and_hidden_files_are_left_out_and_the_rest_is_sorted() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(".gitignore", "out/\n*.min.js\n!keep.min.js\n");
        write(".hidden/x.py", "");
        write("b/.ignore", "secret.py\n");
        for name in ["b/z.py", "b/secret.py", "B.py", "a.py", "out/x.py", "x.min.js", "keep.min.js", "b-2.py"] {
            write(name, "");
        }
        let found: Vec<_> = files(folder.path())
            .map(|path| path.unwrap().strip_prefix(folder.path()).unwrap().to_string_lossy().replace('\\', "/"))
            .collect();
        assert_eq!(found, ["B.py", "a.py", "b/z.py", "b-2.py", "keep.min.js"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert!(files(Path::new("no/such/folder")).all(|path| path.is_err_and(|error| error.contains("no/such/folder"))));
    }
}
