//! What the kernel says about itself.

use jupyter_protocol::{CodeMirrorMode, HelpLink, KernelInfoReply, LanguageInfo, ReplyStatus};

/// The version of Jupyter's protocol that the kernel speaks.
pub const PROTOCOL: &str = "5.4";

/// The answer to `kernel_info_request`.
pub fn reply(banner: String) -> KernelInfoReply {
    let repository = env!("CARGO_PKG_REPOSITORY");
    let links = [("NumPy", "https://numpy.org/doc/stable/"), ("genesis-repl", repository)];
    let links = links.into_iter().filter(|(_, url)| !url.is_empty());
    KernelInfoReply {
        status: ReplyStatus::Ok,
        protocol_version: PROTOCOL.to_string(),
        implementation: "genesis-repl".to_string(),
        implementation_version: env!("CARGO_PKG_VERSION").to_string(),
        language_info: LanguageInfo {
            // A program of the language is a program of Python's grammar. Tools that write cells, such as
            // papermill for its parameters, choose by this name how.
            name: "python".to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            mimetype: Some("text/x-python".to_string()),
            file_extension: Some(".py".to_string()),
            pygments_lexer: Some("python".to_string()),
            codemirror_mode: Some(CodeMirrorMode::python()),
            nbconvert_exporter: Some("python".to_string()),
        },
        banner,
        help_links: links
            .map(|(text, url)| HelpLink { text: text.to_string(), url: url.to_string() })
            .collect(),
        debugger: false,
        error: None,
    }
}
