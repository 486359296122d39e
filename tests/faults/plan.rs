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

    /// Seconds after which everything is ended, as something hangs: the machine may be busy with something else.
    pub fn max_seconds(&self) -> u32 {
        self.pick(60 * 60, 40 * 60)
    }

    /// The occasions to strike at: every one, or some near the beginning with growing gaps.
    pub fn occasions(&self) -> Box<dyn Iterator<Item = u32> + Send> {
        if self.is_full { Box::new(1..) } else { Box::new([1, 3, 10].into_iter()) }
    }

    pub fn rng(&self) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.seed)
    }
}
