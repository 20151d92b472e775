//! The text of a heading without its markup: `**Bold** [link](url)` is `Bold link`.

use super::html::tag_length;
use super::references::{References, destination, label_end, title};
use crate::shown::is_shown;

/// Bytes of a heading that are looked at: more than a name may have.
const MAX_TEXT: usize = 1_000;

/// A piece of a heading.
enum Piece {
    Text(String),
    /// `*`, `**`, `_`, `~~`: marks an emphasis where it finds another.
    Mark(Mark),
    /// `[` or `![`, which may begin a link; where the text behind it begins.
    Bracket {
        text: &'static str,
        inside: usize,
        is_active: bool,
    },
}

struct Mark {
    /// `*`, `_` or `~`.
    byte: u8,
    /// How many are left.
    count: usize,
    /// How many there were.
    length: usize,
    opens: bool,
    closes: bool,
}

/// The text that a reader sees, on one line.
pub(super) fn plain(text: &str, references: &References) -> String {
    let text = &text[..text.floor_char_boundary(MAX_TEXT.min(text.len()))];
    let mut reading = Reading { text, at: 0, pieces: Vec::new(), references };
    reading.run();
    match_marks(&mut reading.pieces);
    let mut plain = String::with_capacity(text.len());
    for piece in &reading.pieces {
        match piece {
            Piece::Text(text) => plain.push_str(text),
            Piece::Mark(mark) => (0..mark.count).for_each(|_| plain.push(char::from(mark.byte))),
            Piece::Bracket { text, .. } => plain.push_str(text),
        }
    }
    let words: Vec<_> = plain.split_whitespace().collect();
    words.join(" ").replace(|c| !is_shown(c), "")
}

struct Reading<'t> {
    text: &'t str,
    at: usize,
    pieces: Vec<Piece>,
    references: &'t References,
}

impl Reading<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            let rest = &self.text[self.at..];
            let length = match byte {
                b'\\' => self.escape(rest),
                b'`' => self.code(rest),
                b'<' => self.tag(rest),
                b'&' => self.entity(rest),
                b'*' | b'_' | b'~' => self.mark(rest),
                b'[' => self.bracket("[", 1),
                b'!' if rest.starts_with("![") => self.bracket("![", 2),
                b']' => self.link(),
                _ => self.push(rest.chars().next().map_or(1, char::len_utf8)),
            };
            self.at += length;
        }
    }

    /// The next bytes are text as they stand.
    fn push(&mut self, length: usize) -> usize {
        let text = &self.text[self.at..self.at + length];
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
        length
    }

    fn push_text(&mut self, text: &str) {
        self.pieces.push(Piece::Text(text.to_owned()));
    }

    fn escape(&mut self, rest: &str) -> usize {
        match rest[1..].chars().next() {
            Some(c) if c.is_ascii_punctuation() => {
                self.push_text(&rest[1..2]);
                2
            }
            _ => self.push(1),
        }
    }

    fn code(&mut self, rest: &str) -> usize {
        let ticks = run_length(rest, b'`');
        let mut at = ticks;
        while let Some(found) = rest[at..].find('`') {
            at += found;
            let length = run_length(&rest[at..], b'`');
            if length == ticks {
                let inside = &rest[ticks..at];
                let stripped = inside.strip_prefix(' ').and_then(|inside| inside.strip_suffix(' '));
                self.push_text(stripped.filter(|inside| !inside.trim().is_empty()).unwrap_or(inside));
                return at + length;
            }
            at += length;
        }
        self.push(ticks)
    }

    /// `<https://example.org>` is text, `<br>` and `<!-- -->` are none.
    fn tag(&mut self, rest: &str) -> usize {
        if let Some(end) = rest.strip_prefix("<!--").and_then(|comment| comment.find("-->")) {
            return end + 7;
        }
        if let Some(inside) = rest[1..].split_once('>').map(|(inside, _)| inside).filter(|inside| is_address(inside)) {
            self.push_text(inside);
            return inside.len() + 2;
        }
        match tag_length(rest.as_bytes()) {
            Some(length) => length,
            None => self.push(1),
        }
    }

    fn entity(&mut self, rest: &str) -> usize {
        let Some(end) = rest.bytes().take(12).position(|byte| byte == b';') else { return self.push(1) };
        match character(&rest[1..end]) {
            Some(c) => {
                self.push_text(c.encode_utf8(&mut [0; 4]));
                end + 1
            }
            None => self.push(1),
        }
    }

    fn mark(&mut self, rest: &str) -> usize {
        let mark = rest.as_bytes()[0];
        let length = run_length(rest, mark);
        if mark == b'~' && length > 2 {
            return self.push(length);
        }
        let before = self.text[..self.at].chars().next_back().unwrap_or(' ');
        let after = rest[length..].chars().next().unwrap_or(' ');
        let is_punctuation = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let goes_left = |near: char, far: char| {
            !near.is_whitespace() && (!is_punctuation(near) || far.is_whitespace() || is_punctuation(far))
        };
        let (left, right) = (goes_left(after, before), goes_left(before, after));
        let (opens, closes) = if mark == b'_' {
            (left && (!right || is_punctuation(before)), right && (!left || is_punctuation(after)))
        } else {
            (left, right)
        };
        self.pieces.push(Piece::Mark(Mark { byte: mark, count: length, length, opens, closes }));
        length
    }

    fn bracket(&mut self, text: &'static str, length: usize) -> usize {
        self.pieces.push(Piece::Bracket { text, inside: self.at + length, is_active: true });
        length
    }

    /// At `]`: what stands before it may be the text of a link.
    fn link(&mut self) -> usize {
        let bracket = self.pieces.iter().rposition(|piece| matches!(piece, Piece::Bracket { .. }));
        let Some(bracket) = bracket else { return self.push(1) };
        let Piece::Bracket { text, inside, is_active } = self.pieces[bracket] else { return self.push(1) };
        let behind = if is_active { self.link_length(inside) } else { None };
        let Some(behind) = behind else {
            self.pieces[bracket] = Piece::Text(text.to_owned());
            return self.push(1);
        };
        match_marks(&mut self.pieces[bracket..]);
        for piece in &mut self.pieces[bracket..] {
            if let Piece::Mark(mark) = piece {
                *piece = Piece::Text(String::from_utf8_lossy(&vec![mark.byte; mark.count]).into_owned());
            }
        }
        self.pieces[bracket] = Piece::Text(String::new());
        if text == "[" {
            // No link inside a link.
            for piece in &mut self.pieces[..bracket] {
                if let Piece::Bracket { text: "[", is_active, .. } = piece {
                    *is_active = false;
                }
            }
        }
        1 + behind
    }

    /// Bytes behind the `]` that belong to the link whose text begins at `inside`; None where it is no link.
    fn link_length(&self, inside: usize) -> Option<usize> {
        let behind = &self.text[self.at + 1..];
        if let Some(length) = inline_link_length(behind) {
            return Some(length);
        }
        if let Some(end) = label_end(behind) {
            return self.references.contains(&behind[1..end - 1]).then_some(end);
        }
        let own = &self.text[inside..self.at];
        let length = if behind.starts_with("[]") { 2 } else { 0 };
        let is_label = label_end(&self.text[inside - 1..=self.at]) == Some(own.len() + 2);
        (is_label && self.references.contains(own)).then_some(length)
    }
}

/// Bytes of `(destination "title")`.
fn inline_link_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('(')?;
    let mut rest = inside.trim_start();
    if let Some(length) = destination(rest) {
        let behind = &rest[length..];
        rest = behind.trim_start();
        if rest.len() < behind.len()
            && let Some(length) = title(rest)
        {
            rest = rest[length..].trim_start();
        }
    }
    rest.strip_prefix(')').map(|rest| text.len() - rest.len())
}

/// Takes away the marks that find each other.
fn match_marks(pieces: &mut [Piece]) {
    // Where there is none to find, by mark, length and whether the closing one could open too.
    let mut nothing_before = [[0_usize; 6]; 3];
    for closer in 0..pieces.len() {
        while let Some((opener, used)) = {
            match &pieces[closer] {
                Piece::Mark(mark) if mark.closes && mark.count > 0 => {
                    let kind = usize::from(mark.byte == b'_') + 2 * usize::from(mark.byte == b'~');
                    let bottom = &mut nothing_before[kind][mark.length % 3 + 3 * usize::from(mark.opens)];
                    let found = opener_of(pieces, closer, mark, *bottom);
                    if found.is_none() {
                        *bottom = closer;
                    }
                    found
                }
                _ => None,
            }
        } {
            for index in [opener, closer] {
                if let Piece::Mark(mark) = &mut pieces[index] {
                    mark.count -= used;
                }
            }
            // What stands between them finds nothing any more.
            for piece in &mut pieces[opener + 1..closer] {
                if let Piece::Mark(mark) = piece {
                    (mark.opens, mark.closes) = (false, false);
                }
            }
        }
    }
}

/// The mark before `closer` that it closes, and how many characters of each are used up.
fn opener_of(pieces: &[Piece], closer: usize, mark: &Mark, bottom: usize) -> Option<(usize, usize)> {
    for index in (bottom..closer).rev() {
        let Piece::Mark(opener) = &pieces[index] else { continue };
        let is_odd = (opener.closes || mark.opens)
            && (opener.length + mark.length).is_multiple_of(3)
            && !(opener.length.is_multiple_of(3) && mark.length.is_multiple_of(3));
        if opener.byte != mark.byte || !opener.opens || opener.count == 0 || is_odd {
            continue;
        }
        if mark.byte == b'~' {
            if opener.count == mark.count {
                return Some((index, mark.count));
            }
            continue;
        }
        return Some((index, if opener.count >= 2 && mark.count >= 2 { 2 } else { 1 }));
    }
    None
}

fn run_length(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

/// Whether the inside of `<…>` is an address of the web or of mail.
fn is_address(text: &str) -> bool {
    let is_free = !text.contains(|c: char| c.is_whitespace() || c == '<');
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme = (2..=32).contains(&scheme.len())
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte));
    let is_mail = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.starts_with(|c: char| c.is_ascii_alphanumeric()));
    is_free && (is_scheme || is_mail && !text.contains(['\\', '"', '\'']))
}

/// The character of an entity: of those that stand in headings.
fn character(name: &str) -> Option<char> {
    const NAMED: [(&str, char); 20] = [
        ("amp", '&'),
        ("apos", '\''),
        ("copy", '©'),
        ("emsp", ' '),
        ("ensp", ' '),
        ("gt", '>'),
        ("hellip", '…'),
        ("larr", '←'),
        ("laquo", '«'),
        ("lt", '<'),
        ("mdash", '—'),
        ("middot", '·'),
        ("nbsp", ' '),
        ("ndash", '–'),
        ("quot", '"'),
        ("raquo", '»'),
        ("rarr", '→'),
        ("reg", '®'),
        ("thinsp", ' '),
        ("trade", '™'),
    ];
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return Some(char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_taken_away_and_text_stays() {
        let mut references = References::default();
        references.take_definitions("[1.0]: /x\n[here]: /y");
        for (written, seen) in [
            ("plain", "plain"),
            ("**Bold**, *em*, ***both*** and __so__", "Bold, em, both and so"),
            ("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"),
            ("`code *x*` `` a`b `` `", "code *x* a`b `"),
            ("[link](https://x.org \"title\") ![alt](a.png)", "link alt"),
            ("[![badge](a.svg)](b) Name", "badge Name"),
            ("[1.0] - 2020, [text][here], [here][]", "1.0 - 2020, text, here"),
            ("[Unreleased] [x][y]", "[Unreleased] [x][y]"),
            ("[*em*](x) *[a](b)*", "em a"),
            ("<a name=\"x\"></a>Title<br/> <!-- note -->", "Title"),
            ("<https://x.org> <me@x.org> 1 < 2", "https://x.org me@x.org 1 < 2"),
            ("\\# \\*no\\* a\\b", "# *no* a\\b"),
            ("AT&amp;T &copy; &#65; &unknown; &", "AT&T © A &unknown; &"),
            ("~~gone~~ ~a~ ~~~x~~~", "gone a ~~~x~~~"),
            ("foo(*args, **kwargs)", "foo(*args, **kwargs)"),
            ("**Note*", "*Note"),
            ("[a](b", "[a](b"),
            ("a\u{7}  b", "a b"),
        ] {
            assert_eq!(plain(written, &references), seen, "{written}");
        }
    }
}
