//! What a page on paper does not have. Each of these things needs one of these names (ISO 32000-1, 7.11
//! and 12.6), wherever it stands: in an action, a tree of names, an annotation or a form.

/// What a PDF contains that does more than show a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forbidden {
    /// JavaScript, run by whatever.
    Script,
    /// An action that starts a program.
    Program,
    /// A file within the file.
    Attachment,
    /// Sound, video, 3D: what needs a player.
    Media,
    /// A way into another file.
    OtherFile,
    /// A form that sends, or loads, data.
    Sending,
    /// XFA, a language of forms with scripts of its own.
    DynamicForm,
    /// What is hidden from an examination, too.
    Encryption,
}

impl Forbidden {
    /// "This PDF …".
    pub fn words(self) -> &'static str {
        match self {
            Self::Script => "contains a script",
            Self::Program => "can start a program",
            Self::Attachment => "has other files attached to it",
            Self::Media => "contains sound, video or 3D",
            Self::OtherFile => "opens another file",
            Self::Sending => "contains a form that sends or loads data",
            Self::DynamicForm => "is a form that builds itself (XFA)",
            Self::Encryption => "is protected by a password or against changes",
        }
    }
}

/// What a name brings with it.
pub fn judge(name: &[u8]) -> Option<Forbidden> {
    Some(match name {
        b"JavaScript" | b"JS" => Forbidden::Script,
        b"Launch" => Forbidden::Program,
        b"EmbeddedFiles" | b"EmbeddedFile" | b"EF" | b"FileAttachment" => Forbidden::Attachment,
        b"RichMedia" | b"RichMediaContent" | b"RichMediaExecute" | b"Rendition" | b"Movie" | b"Sound"
        | b"3D" => Forbidden::Media,
        b"GoToR" | b"GoToE" => Forbidden::OtherFile,
        b"SubmitForm" | b"ImportData" => Forbidden::Sending,
        b"XFA" => Forbidden::DynamicForm,
        b"Encrypt" => Forbidden::Encryption,
        _ => return None,
    })
}
