//! Paths as Windows writes them. Pure functions of text, so that they are tested on every platform.

/// A path in one form of the many that it may be written in: backslashes, no `.`, `..` or doubled separator, no `\\?\`
/// where it is not needed. By its text alone.
pub fn plain(path: &str) -> String {
    let path = path.replace('/', "\\");
    let (root, rest) = split_root(&path);
    let mut names: Vec<&str> = Vec::new();
    for name in rest.split('\\') {
        match name {
            "" | "." => {}
            ".." if root.ends_with('\\') || names.last().is_some_and(|last| *last != "..") => drop(names.pop()),
            _ => names.push(name),
        }
    }
    let gap = if root.starts_with("\\\\") && !root.ends_with('\\') && !names.is_empty() { "\\" } else { "" };
    format!("{root}{gap}{}", names.join("\\"))
}

/// What two paths of the same file have in common: Windows tells neither the kind of slash nor the case.
pub fn key(path: &str) -> String {
    plain(path).to_lowercase()
}

/// A path as a POSIX shell takes it, which is what runs a hook on Windows too; and as globs are written.
pub fn with_slashes(path: &str) -> String {
    without_prefix(&path.replace('/', "\\")).replace('\\', "/")
}

/// Whether a path names a device and no file, wherever it seems to lie: `NUL`, `C:\src\con.txt`, `\\.\pipe\x`.
pub fn is_device(path: &str) -> bool {
    let path = path.replace('/', "\\");
    let plain = without_prefix(&path);
    plain.starts_with("\\\\?\\")
        || plain.starts_with("\\\\.\\")
        || plain.starts_with("\\??\\")
        || plain.rsplit('\\').next().is_some_and(is_reserved)
}

/// The network share that a path lies on, in lower case: `\\server\share`.
pub fn share(path: &str) -> Option<String> {
    let path = path.replace('/', "\\");
    let path = without_prefix(&path);
    let names = path.strip_prefix("\\\\").filter(|_| !path.starts_with("\\\\?\\") && !path.starts_with("\\\\.\\"))?;
    let share: Vec<_> = names.splitn(3, '\\').take(2).collect();
    Some(format!("\\\\{}", share.join("\\").to_lowercase()))
}

/// Whether Windows takes a file name for a device, whatever its extension.
pub fn is_reserved(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end_matches(' ').to_ascii_uppercase();
    let device = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³');
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || device.is_some_and(|number| number.chars().count() == 1 && number.chars().all(is_digit))
}

/// `\\?\C:\x` is `C:\x`, and `\\?\UNC\server\share` is `\\server\share`. Takes and gives backslashes.
fn without_prefix(path: &str) -> std::borrow::Cow<'_, str> {
    let Some(rest) = path.strip_prefix("\\\\?\\") else { return path.into() };
    match rest.get(..4) {
        Some(unc) if unc.eq_ignore_ascii_case("UNC\\") => format!("\\\\{}", &rest[4..]).into(),
        _ if rest.as_bytes().get(1) == Some(&b':') => rest.into(),
        _ => path.into(),
    }
}

/// What `..` cannot leave, and what follows: `C:\`, `C:`, `\`, `\\server\share`, or nothing.
fn split_root(path: &str) -> (String, String) {
    let path = without_prefix(path);
    let drive = path.as_bytes().get(1) == Some(&b':') && path.is_char_boundary(2);
    let end = if let Some(names) = path.strip_prefix("\\\\") {
        names.match_indices('\\').nth(1).map_or(path.len(), |(at, _)| at + 2 + 1)
    } else if drive {
        2 + usize::from(path[2..].starts_with('\\'))
    } else {
        usize::from(path.starts_with('\\'))
    };
    (path[..end].to_owned(), path[end..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_key_however_it_is_written() {
        for (path, written) in [
            (
                "c:\\a.py",
                &["C:\\A.py", "c:/a.py", "C:\\.\\A.PY", "C:\\x\\..\\a.py", "C:\\\\a.py", "\\\\?\\C:\\a.py", "//?/c:/a.py"][..],
            ),
            ("c:\\a.py", &["C:\\..\\..\\a.py"]),
            ("c:a.py", &["C:A.py", "c:./a.py"]),
            (
                "\\\\server\\share\\d\\a.py",
                &["//Server/Share/D/a.py", "\\\\?\\UNC\\server\\share\\d\\x\\..\\a.py", "\\\\?\\unc\\SERVER\\share\\d\\a.py"],
            ),
            ("\\\\server\\share\\a.py", &["\\\\server\\share\\..\\a.py"]),
            ("\\a.py", &["/a.py", "\\x\\..\\..\\a.py"]),
            ("a.py", &["./a.py", "x/../a.py"]),
            ("..\\a.py", &["../a.py", "x/../../a.py"]),
            ("c:\\straße\\ß.py", &["C:\\Straße\\ß.PY"]),
        ] {
            for written in written {
                assert_eq!(key(written), path, "{written}");
            }
        }
        assert_ne!(key("C:\\a.py"), key("D:\\a.py"));
        assert_ne!(key("C:\\a.py"), key("C:a.py"));
        for path in ["", "\\", "\\\\", "\\\\?\\", "\\\\server", "\\\\?\\UNC\\", "C:", "é:\\x", "\\\\?\\é"] {
            let _ = (key(path), share(path), is_device(path), with_slashes(path));
        }
    }

    #[test]
    fn a_shell_gets_slashes_and_no_prefix() {
        assert_eq!(with_slashes("\\\\?\\C:\\Program Files\\stk.exe"), "C:/Program Files/stk.exe");
        assert_eq!(with_slashes("\\\\?\\UNC\\server\\share\\stk.exe"), "//server/share/stk.exe");
        assert_eq!(with_slashes("C:/stk.exe"), "C:/stk.exe");
    }

    #[test]
    fn devices_are_no_files() {
        for path in [
            "NUL",
            "C:\\x\\con",
            "c:/x/Com1.txt",
            "C:\\x\\lpt9 .log",
            "\\\\.\\pipe\\x",
            "//./PhysicalDrive0",
            "\\\\?\\GLOBALROOT\\x",
            "aux:stream",
            "COM²",
        ] {
            assert!(is_device(path), "{path}");
        }
        for path in
            ["C:\\con\\x.py", "console.log", "com10", "C:\\nullable.cs", "\\\\?\\C:\\a.py", "\\\\server\\share\\a.py", "com"]
        {
            assert!(!is_device(path), "{path}");
        }
    }

    #[test]
    fn a_share_is_told_whatever_its_form() {
        assert_eq!(share("\\\\Server\\Share\\a\\b.py").as_deref(), Some("\\\\server\\share"));
        assert_eq!(share("//?/UNC/server/share/a").as_deref(), Some("\\\\server\\share"));
        assert_eq!(share("C:\\a.py"), None);
        assert_eq!(share("\\\\?\\C:\\a.py"), None);
        assert_eq!(share("\\\\.\\pipe\\x"), None);
    }
}
