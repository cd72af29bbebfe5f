//! SHA-512 (FIPS 180-4), by which CPython makes seeds of texts.

/// The fractional parts of the cube roots of the first 80 primes, and of the square roots of the
/// first 8, in 64 bits.
fn constants() -> ([u64; 80], [u64; 8]) {
    let mut primes = (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: [u64; 80] = std::array::from_fn(|_| primes.next().unwrap_or_default());
    let roots = primes.map(|prime| fraction(prime, 3));
    let mut first = [0; 8];
    first.iter_mut().zip(primes).for_each(|(root, prime)| *root = fraction(prime, 2));
    (roots, first)
}

/// The first 64 bits behind the point of a root, found bit by bit.
fn fraction(prime: u64, degree: u32) -> u64 {
    // The largest number of 64 fractional bits whose power is not above the prime.
    let is_above = |root: u128| match degree {
        2 => squared(root) > (u128::from(prime), 0),
        _ => cubed_is_above(root, prime),
    };
    let mut root: u128 = 0;
    for bit in (0..70).rev() {
        let more = root | 1 << bit;
        if !is_above(more) {
            root = more;
        }
    }
    root as u64
}

/// The square of a number with 64 fractional bits: whole part, and 128 fractional bits.
fn squared(root: u128) -> (u128, u128) {
    let (high, low) = (root >> 64, root & u128::from(u64::MAX));
    // high² · 2^128 + 2 · high · low · 2^64 + low²
    let middle = 2 * high * low;
    let (fraction, carry) = (low * low).overflowing_add(middle << 64);
    (high * high + (middle >> 64) + u128::from(carry), fraction)
}

fn cubed_is_above(root: u128, prime: u64) -> bool {
    let (whole, fraction) = squared(root);
    let (high, low) = (root >> 64, root & u128::from(u64::MAX));
    // (whole + fraction / 2^128) · (high + low / 2^64), in parts of 64 bits.
    let (f_high, f_low) = (fraction >> 64, fraction & u128::from(u64::MAX));
    let t0 = f_low * low;
    let t1 = f_high * low + f_low * high + (t0 >> 64);
    let t2 = whole * low + f_high * high + (t1 >> 64);
    let total = whole * high + (t2 >> 64);
    let rest = (t0 | t1 | t2) & u128::from(u64::MAX);
    (total, u128::from(rest != 0)) > (u128::from(prime), 0)
}

/// The hash of some bytes.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    let (roots, mut state) = constants();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 128 != 112 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u128 * 8).to_be_bytes());
    for block in padded.chunks_exact(128) {
        let mut words = [0u64; 80];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(8)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        for at in 16..80 {
            let (a, b) = (words[at - 15], words[at - 2]);
            let a = a.rotate_right(1) ^ a.rotate_right(8) ^ a >> 7;
            let b = b.rotate_right(19) ^ b.rotate_right(61) ^ b >> 6;
            words[at] = words[at - 16].wrapping_add(a).wrapping_add(words[at - 7]).wrapping_add(b);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, root) in words.into_iter().zip(roots) {
            let sum = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let choice = e & f ^ !e & g;
            let one = h.wrapping_add(sum).wrapping_add(choice).wrapping_add(root);
            let one = one.wrapping_add(word);
            let sum = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let two = sum.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e) = (g, f, e, d.wrapping_add(one));
            (d, c, b, a) = (c, b, a, one.wrapping_add(two));
        }
        for (part, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *part = part.wrapping_add(more);
        }
    }
    let mut hash = [0; 64];
    for (bytes, part) in hash.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&part.to_be_bytes());
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::sha512;

    /// Those of FIPS 180-4's examples, and of `hashlib`.
    #[test]
    fn known_texts_have_known_hashes() {
        let shown = |text: &str| {
            sha512(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        assert_eq!(
            shown("abc"),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        );
        assert_eq!(
            shown(""),
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
             47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        );
        assert_eq!(shown(&"a".repeat(112))[..32], *"c01d080efd492776a1c43bd23dd99d0a");
    }
}
