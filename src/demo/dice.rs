//! Deterministic random numbers for the demo, from a seed.

/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014), with
/// the constants of Vigna's public-domain `splitmix64.c`. It draws street numbers and marks, never secrets.
pub struct Dice(u64);

impl Dice {
    /// The same seed produces the same sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `min` to `max`, inclusive.
    pub fn between(&mut self, min: i64, max: i64) -> i64 {
        let span = max.abs_diff(min) + 1;
        min + (self.next() % span) as i64
    }

    /// A random element.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let last = i64::try_from(of.len()).unwrap_or(i64::MAX) - 1;
        if last < 0 { None } else { of.get(self.between(0, last) as usize) }
    }

    /// True with this probability in percent.
    pub fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_throws_are_those_of_the_published_generator() {
        // The first three of splitmix64.c for the seed 1234567.
        let mut dice = Dice::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([dice.next(), dice.next(), dice.next()], expected);
    }

    #[test]
    fn a_throw_stays_within_its_bounds_and_reaches_both() {
        let mut dice = Dice::new(1);
        let throws: Vec<_> = (0..200).map(|_| dice.between(-3, 2)).collect();
        assert_eq!((throws.iter().min(), throws.iter().max()), (Some(&-3), Some(&2)));
        assert_eq!(dice.pick::<u8>(&[]), None);
    }
}
