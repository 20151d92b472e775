//! Any bytes as config.toml: read or refused with the file's name, and what is printed of it reads as the same.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use stk::config::Config;

fuzz_target!(|data: &[u8]| {
    let file = stk_fuzz::places().join("config/config.toml");
    std::fs::write(&file, data).unwrap();
    match Config::load() {
        Err(error) => assert!(error.to_string().starts_with(file.to_str().unwrap()), "{error}"),
        Ok(config) => {
            let path = Path::new("/p/src/a.lock");
            let _ = config.exclude.matches(path, Some(Path::new("/p")));
            std::fs::write(&file, config.to_toml()).unwrap();
            let again = Config::load().unwrap_or_else(|error| panic!("{error}\n{}", config.to_toml()));
            assert_eq!(again.settings, config.settings);
            assert!(again.unknown.is_empty());
        }
    }
});
