//! In the place of columns of tables, where this build reads none.

use crate::diag::Fault;
use crate::interp::builtins::Call;
use crate::interp::value::Value;

pub fn header(_: &mut Call<'_>) -> Result<Value, Fault> {
    let words =
        "this build reads no Parquet, Arrow or Feather: it was made without the feature `parquet`";
    let hint = "build it with `--features parquet`, or save the table as `.csv` or `.npz`";
    Err(Fault::value_error(words).with_hint(hint))
}

pub use header as nulls;
pub use header as read;
