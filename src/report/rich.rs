//! Values that say themselves how a page shows them.

/// A value's text, and the forms that a page may show in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rich {
    pub text: String,
    pub forms: Vec<(Form, String)>,
}

/// What a form is written in. Pictures of pixels are in base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Html,
    Markdown,
    Latex,
    Svg,
    Png,
    Jpeg,
}

impl Form {
    pub const ALL: [Form; 6] =
        [Form::Html, Form::Markdown, Form::Latex, Form::Svg, Form::Png, Form::Jpeg];

    /// The method by which an object gives it, as IPython asks for it.
    pub fn method(self) -> &'static str {
        match self {
            Form::Html => "_repr_html_",
            Form::Markdown => "_repr_markdown_",
            Form::Latex => "_repr_latex_",
            Form::Svg => "_repr_svg_",
            Form::Png => "_repr_png_",
            Form::Jpeg => "_repr_jpeg_",
        }
    }
}

impl Rich {
    /// The form that a page shows, if it shows one of them by itself.
    pub fn element(&self) -> Option<String> {
        let find = |form: Form| self.forms.iter().find(|(known, _)| *known == form);
        let picture = |form: Form, kind: &str| {
            let (_, data) = find(form)?;
            Some(format!("<img src=\"data:image/{kind};base64,{data}\">"))
        };
        let own = find(Form::Html).or_else(|| find(Form::Svg)).map(|(_, text)| text.clone());
        own.or_else(|| picture(Form::Png, "png")).or_else(|| picture(Form::Jpeg, "jpeg"))
    }
}
