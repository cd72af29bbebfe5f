//! Finding a setting, and changing it.

use super::{Apply, SETTINGS, Setting};
use crate::diag::{Fault, did_you_mean};
use crate::interp::Interp;
use crate::session::config::Config;

impl Setting {
    /// The setting of that name.
    ///
    /// # Errors
    /// ValueError with the nearest name.
    pub fn find(name: &str) -> Result<&'static Setting, Fault> {
        SETTINGS.iter().find(|setting| setting.name == name).ok_or_else(|| {
            let fault = Fault::value_error(format!("no setting is called `{name}`"));
            match did_you_mean(name, SETTINGS.iter().map(|setting| setting.name)) {
                Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
                None => fault.with_hint("`:set` alone lists the settings"),
            }
        })
    }

    /// Changes the configuration; nothing follows yet.
    ///
    /// # Errors
    /// ValueError that says what is expected; nothing has changed.
    pub fn change(&self, config: &mut Config, value: &str) -> Result<(), Fault> {
        (self.change)(config, value).map_err(|fault| {
            match did_you_mean(value, self.choices.iter().copied()) {
                Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
                None => fault,
            }
        })
    }

    /// Changes the configuration and what runs by it.
    ///
    /// # Errors
    /// As [`Setting::change`], and where a device can't follow; nothing has changed.
    pub fn change_running(
        &self,
        config: &mut Config,
        interp: &Interp,
        value: &str,
    ) -> Result<(), Fault> {
        let mut changed = config.clone();
        self.change(&mut changed, value)?;
        match self.apply {
            Apply::Reading => {}
            Apply::Calling(apply) => apply(&changed, interp)?,
            Apply::AtStart => {
                let fault =
                    Fault::value_error(format!("`{}` can only be chosen at the start", self.name));
                return Err(fault.with_hint(match self.name {
                    "device" => "`:device NAME` moves to another device now".to_string(),
                    "simulate" => "`:device simulate SIZE` opens a simulated GPU now".to_string(),
                    "color" => {
                        "`--color` and NO_COLOR choose, or the configuration file".to_string()
                    }
                    name => format!("put `{name}` into the configuration file, and start anew"),
                }));
            }
        }
        interp.engine.gpus().configure(&changed.allocator);
        *config = changed;
        Ok(())
    }

    /// Whether a running session can change it.
    pub fn is_live(&self) -> bool {
        !matches!(self.apply, Apply::AtStart)
    }
}
