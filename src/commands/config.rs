//! `stk config`: the active configuration.

use std::io::{Write, stdout};

use super::Failure;
use crate::config::{Config, ConfigError};
use crate::terminal::Screen;

/// Prints every key with its value and where that comes from; a key that stk does not know is an error here.
pub fn run() -> Result<(), Failure> {
    let config = Config::load().map_err(|error| error.to_string())?;
    if let (Some((key, line)), Some(file)) = (config.unknown.first(), &config.file) {
        let message = format!("there is no key {key}; `stk config` without it lists those there are");
        return Err(ConfigError { file: file.clone(), line: Some(*line), message }.to_string().into());
    }
    stdout().lock().write_all(Screen::plain().shown_lines(&config.to_toml()).as_bytes())?;
    Ok(())
}
