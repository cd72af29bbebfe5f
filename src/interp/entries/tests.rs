use super::*;

fn number(at: i64) -> Key {
    Key::of_int(at)
}

fn int(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        _ => panic!("a number"),
    }
}

fn content(entries: &Entries) -> Vec<(i64, i64)> {
    entries.iter().map(|(key, value)| (int(key.value()), int(value))).collect()
}

/// The same steps with and without a table give the same, also where one is made on the way.
#[test]
fn few_and_many_are_alike() {
    for size in [0, 1, 3, 4, 7, 8, 9, 20, 200] {
        let (mut few, mut many) = (Entries::default(), Entries::default());
        many.table();
        let mut state = 7_u64;
        for step in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = number(((state >> 33) % (size + 1)) as i64);
            for entries in [&mut few, &mut many] {
                match state >> 60 {
                    0..8 => _ = entries.insert(key.clone(), Value::Int(step)),
                    8..11 => _ = entries.shift_remove(&key),
                    11 => _ = entries.pop(),
                    12 => entries.retain(|known, _| *known != key),
                    13 => _ = entries.pop_first(),
                    14 => entries.values_mut().for_each(|value| *value = Value::Int(step)),
                    _ => entries.extend([(key.clone(), Value::Int(-step))]),
                }
            }
            assert_eq!(content(&few), content(&many));
            let walked = |entries: &Entries, is_backwards: bool| {
                let mut place = if is_backwards { usize::MAX } else { 0 };
                let mut keys = Vec::new();
                while let Some((at, key, _)) = match is_backwards {
                    true => entries.last_before(place),
                    false => entries.first_from(place),
                } {
                    place = if is_backwards { at } else { at + 1 };
                    keys.push(key.clone());
                }
                if is_backwards {
                    keys.reverse();
                }
                keys
            };
            let keys: Vec<Key> = few.keys().cloned().collect();
            for entries in [&few, &many] {
                assert_eq!(walked(entries, false), keys);
                assert_eq!(walked(entries, true), keys);
                let backwards: Vec<Key> = entries.keys().rev().cloned().collect();
                assert!(backwards.iter().rev().eq(&keys) && entries.keys().len() == keys.len());
                let behind = entries.key_behind(&key).cloned();
                let at = keys.iter().position(|known| *known == key);
                assert_eq!(behind, at.and_then(|at| keys.get(at + 1).cloned()));
            }
            assert_eq!(few.contains_key(&key), many.contains_key(&key));
            for entries in [&mut few, &mut many] {
                for number in [-1, 0, 1, size as i64, size as i64 + 1, i64::MAX] {
                    let counted = entries.counted(number).cloned();
                    let found = entries.get(&self::number(number)).cloned();
                    assert!(
                        counted.is_none() || counted.as_ref().map(int) == found.as_ref().map(int)
                    );
                    let counted_mut = entries.counted_mut(number).cloned();
                    assert_eq!(counted_mut.as_ref().map(int), counted.as_ref().map(int));
                }
            }
            let ends = |entries: &Entries| content(&entries.clone().into_iter().collect());
            assert_eq!(ends(&few), ends(&many));
        }
    }
}

/// What is not there for certain is not there, whatever came and went before.
#[test]
fn a_name_that_is_there_may_be_there() {
    let mut entries = Entries::default();
    let names = ["", "a", "b", "ab", "items", "count", "x", "ü", "_private", "step", "last"];
    for (at, name) in names.iter().enumerate() {
        entries.insert(Key::of_name(name), Value::Int(at as i64));
        if at == 5 {
            entries.shift_remove(&Key::of_name("a"));
        }
        for name in names {
            assert!(
                entries.may_have(NameBit::of(name)) || !entries.contains_key(&Key::of_name(name))
            );
            let copy = entries.clone();
            assert_eq!(copy.may_have(NameBit::of(name)), entries.may_have(NameBit::of(name)));
        }
    }
    assert!(!Entries::default().may_have(NameBit::of("items")));
}
