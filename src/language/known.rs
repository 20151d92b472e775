//! The languages of this user: their own, and those of the table.

use std::fmt;

use crate::language::own::OwnLanguage;
use crate::language::{self, Language, Reader};

/// Which language a file is of, the user's own included.
#[derive(Clone, Default)]
pub struct Languages {
    /// For each extension of a language of the user's own, in the order of the configuration.
    own: Vec<&'static Language>,
}

impl Languages {
    /// Those of the table, and these. What is made of them stays until the process ends, like the table.
    ///
    /// Errors: an extension that two of them have, and the second of these.
    pub fn with(own: Vec<OwnLanguage>) -> Result<Self, (String, &'static OwnLanguage)> {
        let mut languages = Self::default();
        for own in own {
            let own: &'static OwnLanguage = Box::leak(Box::new(own));
            for extension in &own.extensions {
                if languages.own.iter().any(|row| row.extensions.contains(&extension.as_str())) {
                    return Err((extension.clone(), own));
                }
                languages.own.push(Box::leak(Box::new(Language::of_own(own, extension))));
            }
        }
        Ok(languages)
    }

    /// The user's own.
    pub fn own(&self) -> impl Iterator<Item = (&'static Language, &'static OwnLanguage)> {
        let mut last = None;
        self.own.iter().filter_map(move |language| match language.reader {
            Reader::Own { language: own, .. } if last.replace(own.name.as_str()) != Some(&own.name) => Some((*language, own)),
            _ => None,
        })
    }

    /// Every name, the user's own first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.own().map(|(language, _)| language.name).chain(language::all().iter().map(|language| language.name))
    }

    /// Whether files with this extension are of a language of the user's own.
    pub fn is_own(&self, extension: &str) -> bool {
        self.by_extension(extension).is_some()
    }

    /// The language of that name, as `--lang` takes it.
    pub fn by_name(&self, name: &str) -> Option<&'static Language> {
        let own = self.own.iter().find(|language| language.name.eq_ignore_ascii_case(name));
        own.copied().or_else(|| language::by_name(name))
    }

    /// The language of a file, as [`language::of_file`] tells it; an extension of the user's own goes before those of the
    /// table, a whole name before both.
    pub fn of_file(&self, file_name: &str, head: &[u8]) -> Option<&'static Language> {
        if self.own.is_empty() {
            return language::of_file(file_name, head);
        }
        let own = || self.by_extension(&language::extension_of(file_name)?);
        language::by_whole_name(file_name).or_else(own).or_else(|| language::of_file(file_name, head))
    }

    fn by_extension(&self, extension: &str) -> Option<&'static Language> {
        self.own.iter().find(|language| language.extensions.contains(&extension)).copied()
    }
}

impl fmt::Debug for Languages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.own().map(|(_, own)| own)).finish()
    }
}
