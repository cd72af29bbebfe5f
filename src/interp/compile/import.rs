//! `import` and `from … import`.

use super::Compiler;
use super::code::Import;
use super::op::Op;
use crate::diag::{Span, Spanned};
use crate::interp::value::Module;
use crate::syntax::ast::{Ident, ImportName, ImportNames};

impl Compiler<'_> {
    pub(super) fn import(&mut self, names: &[ImportName]) {
        for (at, name) in names.iter().enumerate() {
            let bound = match &name.alias {
                Some(alias) => alias.node.clone(),
                // `import numpy.linalg` binds `numpy`.
                None => name.path.node.split('.').next().unwrap_or_default().into(),
            };
            let is_last = at + 1 == names.len();
            self.bind_import(Import::Module(name.clone()), &bound, is_last, name.path.span);
        }
    }

    pub(super) fn import_from(&mut self, module: &Spanned<Ident>, names: &ImportNames, span: Span) {
        match names {
            ImportNames::Star => {
                let import = Import::All { module: module.clone() };
                let index = self.import_at(import);
                self.emit(Op::ImportAll { index }, span);
            }
            ImportNames::Names(names) => {
                let is_future = &*module.node == Module::Future.name();
                if is_future && names.iter().any(|name| &*name.path.node == "annotations") {
                    self.interp.annotations_are_texts.set(true);
                }
                for (at, name) in names.iter().enumerate() {
                    let bound = name.alias.as_ref().unwrap_or(&name.path).node.clone();
                    let import = Import::From { module: module.clone(), name: name.clone() };
                    let is_last = at + 1 == names.len();
                    self.bind_import(import, &bound, is_last, name.path.span);
                }
            }
        }
    }

    fn bind_import(&mut self, import: Import, name: &Ident, is_last: bool, span: Span) {
        let mark = self.mark();
        let index = self.import_at(import);
        let to = self.temporary();
        self.emit(Op::Import { to, index }, span);
        self.bind(name, to, is_last, span);
        self.release(mark);
    }

    fn import_at(&mut self, import: Import) -> u16 {
        let imports = &mut self.code().imports;
        imports.push(import);
        let at = imports.len() - 1;
        self.checked(at)
    }
}
