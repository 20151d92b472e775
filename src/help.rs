//! The examples below each command's `--help`, and in its manual page.

/// Of `stk` itself.
pub const STK: &str = "\
Examples:
  stk outline src/main.rs              what is in a file
  stk outline src --symbol Config.load the lines of one symbol
  stk init                             how to install the hook
  stk gain                             what the hook has saved

`stk COMMAND --help` has more.";

/// Of `stk outline`.
pub const OUTLINE: &str = "\
Examples:
  stk outline src/main.rs                    every symbol, a row each
  stk outline src --depth 1                  the outermost ones of every file in a folder
  stk outline src --kind class,struct        only these kinds
  stk outline src --name '^parse_'           only these names
  stk outline app.py --symbol Pipeline.run   the lines of a symbol, with their numbers
  stk outline app.py --at 120                those of the symbol round a line
  stk outline big.ts --max-lines 80          what the hook would show
  git show HEAD~1:app.py | stk outline - --lang python
  stk outline . --format ctags > tags        for vim, readtags and their like
  stk outline . --format json | jq -r '.symbols[].name'

Exit status: 0 done, 1 something could not be read or found (the rest is printed), 2 wrong arguments.";

/// Of `stk hook`.
pub const HOOK: &str = "\
Example, as Claude Code calls it:
  echo '{\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"/abs/big.rs\"}}' | stk hook claude

It prints nothing where the read may go on. Exit status: always 0, whatever happens.
STK_DISABLE=1 in the environment switches it off, STK_MODE=observe lets every read pass and only counts.";

/// Of `stk gain`.
pub const GAIN: &str = "\
Examples:
  stk gain                        totals
  stk gain --since 7d --by day    the last week, day by day
  stk gain --by language
  stk gain --by file              the files with the most
  stk gain --format json";

/// Of `stk replay`.
pub const REPLAY: &str = "\
Examples:
  stk replay --since 30d          your own sessions of the last month
  stk replay --format json
  stk replay ~/backup/projects    transcripts that lie elsewhere

Nothing leaves this machine, and no content is printed or kept.";

/// Of `stk init`.
pub const INIT: &str = "\
Examples:
  stk init                        what to paste, and where
  stk init --check                is it installed, once, and does it work?
  stk init --format json          the JSON alone

Exit status of --check: 0 installed once and in order, 1 not.";

/// Of `stk config`.
pub const CONFIG: &str = "\
Examples:
  stk config                      every key, its value, where it comes from
  stk config > config.toml        a file to start from";

/// Of `stk languages`.
pub const LANGUAGES: &str = "\
Examples:
  stk languages                   what stk reads
  stk languages --check           are all queries in order, your own too?
  stk languages --check queries/rust/outline.scm
  stk languages --tree src/main.rs    which nodes a query can match";

/// Of `stk completions`.
pub const COMPLETIONS: &str = "\
Examples:
  stk completions bash > ~/.local/share/bash-completion/completions/stk
  stk completions zsh > \"${fpath[1]}/_stk\"
  stk completions fish > ~/.config/fish/completions/stk.fish
  stk completions powershell >> $PROFILE";

/// Of `stk man`.
pub const MAN: &str = "\
Examples:
  stk man | man -l -              read it
  stk man outline | man -l -      that of a command
  stk man > ~/.local/share/man/man1/stk.1";
