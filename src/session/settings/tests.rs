use super::*;

#[test]
fn every_value_reads_back() {
    for setting in SETTINGS {
        let mut config = Config::default();
        let value = (setting.get)(&config);
        setting.change(&mut config, &value).unwrap();
        assert_eq!(config, Config::default(), "{}", setting.name);
        for choice in setting.choices {
            setting.change(&mut config, choice).unwrap();
            assert_eq!((setting.get)(&config), *choice, "{}", setting.name);
        }
    }
    let mut config = Config::default();
    config.set("simulate", "8GiB,1000001B,3x4MiB").unwrap_err();
    config.set("simulate", "8GiB,5000001,2x4MiB").unwrap();
    assert_eq!((Setting::find("simulate").unwrap().get)(&config), "8GiB,5000001,4MiB,4MiB");
}

#[test]
fn wrong_values_change_nothing() {
    for setting in SETTINGS {
        let mut config = Config::default();
        for value in ["", "?", "-1", "nan", "\u{1F600}", "99999999999999999999999"] {
            assert!(setting.change(&mut config, value).is_err(), "{} {value}", setting.name);
        }
        assert_eq!(config, Config::default());
    }
    let fault = Setting::find("color").unwrap().change(&mut Config::default(), "alway");
    assert_eq!(fault.unwrap_err().hints, ["did you mean `always`?"]);
}
