//! How much is tried, and the seed of everything random.

/// How much is tried, and the seed of everything random.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Everything, or a short form of each kind.
    pub is_full: bool,
    /// Printed with the figures; `FAULTS_SEED` repeats a run.
    pub seed: u64,
}

impl Plan {
    pub fn of_environment() -> Self {
        let seed = std::env::var("FAULTS_SEED").ok().map(|text| text.parse().expect("FAULTS_SEED: a number"));
        Self {
            is_full: std::env::var("FAULTS").is_ok_and(|how| how == "full"),
            seed: seed.unwrap_or(20_261_121),
        }
    }

    /// The number for the full form or for the short one.
    pub fn pick<T>(&self, full: T, short: T) -> T {
        if self.is_full { full } else { short }
    }

    /// Seconds after which everything is ended.
    pub fn max_seconds(&self) -> u32 {
        self.pick(15 * 60, 120)
    }

    /// The occasions to strike at: every one, or some near the beginning with growing gaps.
    pub fn occasions(&self) -> Box<dyn Iterator<Item = u32> + Send> {
        if self.is_full { Box::new(1..) } else { Box::new([1, 3, 10].into_iter()) }
    }

    pub fn dice(&self) -> Dice {
        Dice::new(self.seed)
    }
}

/// Numbers that a seed repeats (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }
}
