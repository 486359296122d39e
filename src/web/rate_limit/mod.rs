//! Rate limits.
//!
//! Two kinds, by the same arithmetic (`rule`): guesses and links ([`guesses`]) count by account and by address, in the
//! database; plain rates ([`Rate`]) count what one client address does, in memory. Messages, keys and defaults are in
//! `docs/limits.md`.

mod client;
pub mod device;
pub mod guesses;
mod ledger;
pub mod openings;
mod rate;
mod rule;
pub mod secret;

use std::net::IpAddr;
use std::sync::Arc;

use rusqlite::Connection;

pub use self::client::ClientAddr;
use self::device::{DeviceAccount, Devices, Remember};
use self::guesses::{GuessKind, LinkUse};
use self::ledger::{Claim, Key, Ledger};
use self::openings::Openings;
pub use self::rate::Rate;
use self::rule::{Millis, Rule};
use self::secret::HashKey;
use crate::base::clock::Clock;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::base::hashing::Passwords;
use crate::config::Limits as Rates;
use crate::mail::Asker;
use crate::storage::db::Db;

/// Every limit of `[limits]`.
pub struct RateLimiter {
    /// New accounts.
    pub registrations: Rate,
    /// Contact messages.
    pub contacts: Rate,
    /// Applications for a place.
    pub applications: Rate,
    /// Uploads.
    pub uploads: Rate,
    /// Documents opened by staff.
    pub openings: Openings,
    rates: Rates,
    ledger: Arc<Ledger>,
    secret: HashKey,
    db: Db,
    clock: Clock,
    passwords: Passwords,
}

/// Failed attempts stored by earlier runs, and the school's hash key.
pub struct Remembered {
    ledger: Ledger,
    secret: HashKey,
}

impl Remembered {
    /// Loads both.
    pub fn load(connection: &Connection) -> anyhow::Result<Self> {
        let kept = HashKey::load(connection).and_then(|secret| Ok((secret, Ledger::load(connection)?)));
        let (secret, ledger) = match kept {
            Ok(kept) => kept,
            // The server must start even with a damaged database or a full disk.
            Err(error) => {
                tracing::warn!("failed logins before this start are forgotten: {error:#}");
                (HashKey::generate()?, Ledger::empty())
            }
        };
        Ok(Self { ledger, secret })
    }
}

impl RateLimiter {
    /// Creates a limiter with the configured rates and the stored attempts.
    pub fn new(rates: &Rates, remembered: Remembered, db: Db, clock: Clock, passwords: Passwords) -> Self {
        Self {
            registrations: Rate::per_hour(rates.registrations_per_hour, &clock)
                .and_per_block(rates.registrations_per_block_per_hour),
            contacts: Rate::per_hour(rates.contacts_per_hour, &clock)
                .and_per_block(rates.contacts_per_block_per_hour),
            applications: Rate::per_hour(rates.applications_per_hour, &clock)
                .and_per_block(rates.applications_per_block_per_hour),
            uploads: Rate::per_hour(rates.uploads_per_hour, &clock)
                .and_per_block(rates.uploads_per_block_per_hour),
            openings: Openings::new(rates.documents_opened_per_hour),
            rates: rates.clone(),
            ledger: Arc::new(remembered.ledger),
            secret: remembered.secret,
            db,
            clock,
            passwords,
        }
    }

    /// The school's hash key.
    pub fn hash_key(&self) -> &HashKey {
        &self.secret
    }

    /// Whether the browser is known for the account.
    pub fn knows(&self, devices: &Devices, account: DeviceAccount<'_>) -> bool {
        devices.find(&self.secret, account).is_some()
    }

    /// Marks the browser as known for an account after authentication.
    pub fn remember(&self, devices: &Devices, account: DeviceAccount<'_>) -> Result<Remember> {
        devices.with(&self.secret, account)
    }

    /// The requester of an email, for its budget: the client's address.
    pub fn asker(&self, client: ClientAddr) -> Asker {
        let block = client.block().map(bytes);
        Asker { key: block.map(|block| self.secret.key(&[b"asker", &block])), is_owner: false }
    }

    /// The requester of an email, if the browser is known for the account.
    pub fn owner(&self, devices: &Devices, account: DeviceAccount<'_>) -> Option<Asker> {
        let parts: [&[u8]; 3] = [b"owner", account.portal.as_str().as_bytes(), &account.id.to_be_bytes()];
        self.knows(devices, account).then(|| Asker { key: Some(self.secret.key(&parts)), is_owner: true })
    }

    /// Drops expired entries; called every hour.
    pub fn forget_idle(&self) {
        let now = millis(&self.clock);
        for rate in [&self.registrations, &self.contacts, &self.applications, &self.uploads] {
            rate.sweep(now);
        }
        self.openings.forget_idle(self.clock.now());
        self.ledger.sweep(now);
    }

    /// The budgets of a login with a name.
    fn guess_claims(&self, kind: GuessKind, name: &str, client: ClientAddr) -> Vec<Claim> {
        let name = name.trim().to_lowercase();
        let account = name.as_bytes();
        let rates = &self.rates;
        let mut claims = vec![
            self.claim(
                kind,
                &[b"account", account],
                Rule::per_hour(rates.wrong_passwords_per_account_per_hour),
            ),
            self.claim(kind, &[b"all"], Rule::per_hour(rates.failed_logins_in_all_per_hour)),
        ];
        if let (Some(network), Some(site)) = (client.network(), client.site()) {
            let network = bytes(network);
            let site = bytes(site);
            claims.extend([
                self.claim(kind, &[b"account and network", account, &network], self.delay()),
                self.claim(kind, &[b"network", &network], Rule::per_minute(rates.logins_per_minute)),
                self.claim(kind, &[b"site", &site], Rule::per_hour(rates.failed_logins_per_site_per_hour)),
            ]);
        }
        claims
    }

    /// The budgets of a request for a link to a mailbox. None is shared by all visitors, as an attacker could exhaust
    /// it.
    fn ask_claims(&self, link: LinkUse, mailbox: &str, client: ClientAddr, asker: Asker) -> Vec<Claim> {
        let kind = GuessKind::Link(link);
        let rates = &self.rates;
        let to_mailbox = Rule::per_hour(rates.password_resets_per_hour);
        if let Some(owner) = asker.key.filter(|_| asker.is_owner) {
            return vec![self.claim(kind, &[b"owner", &owner], to_mailbox)];
        }
        let network = client.network().map(bytes);
        let mailbox: [&[u8]; 3] = [b"mailbox", mailbox.as_bytes(), network.as_deref().unwrap_or_default()];
        let mut claims = vec![self.claim(kind, &mailbox, to_mailbox)];
        claims.extend(self.network_claim(link, client));
        if let Some(block) = client.block().map(bytes) {
            claims.push(self.claim(
                kind,
                &[b"block", &block],
                Rule::per_hour(rates.links_per_block_per_hour),
            ));
        }
        claims
    }

    /// The budgets of an invalid link token.
    fn use_claims(&self, link: LinkUse, client: ClientAddr) -> Vec<Claim> {
        let in_all = Rule::per_hour(self.rates.failed_logins_in_all_per_hour);
        let all = self.claim(GuessKind::Link(link), &[b"all"], in_all);
        std::iter::once(all).chain(self.network_claim(link, client)).collect()
    }

    fn network_claim(&self, link: LinkUse, client: ClientAddr) -> Option<Claim> {
        let network = client.network().map(bytes)?;
        let rule = Rule::per_hour(self.rates.links_per_hour);
        Some(self.claim(GuessKind::Link(link), &[b"network", &network], rule))
    }

    /// The delay that grows with each wrong password.
    fn delay(&self) -> Rule {
        Rule::Growing { free: self.rates.wrong_passwords }
    }

    fn claim(&self, kind: GuessKind, parts: &[&[u8]], rule: Rule) -> Claim {
        Claim { key: self.key(kind, parts), rule }
    }

    fn key(&self, kind: GuessKind, parts: &[&[u8]]) -> Key {
        let mut all = vec![kind.name().as_bytes()];
        all.extend(parts);
        self.secret.key(&all)
    }
}

/// Deletes expired rows.
pub fn sweep(connection: &Connection, clock: &Clock) -> Result<()> {
    ledger::sweep(connection, millis(clock))
}

fn millis(clock: &Clock) -> Millis {
    clock.now().as_millisecond()
}

fn bytes(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().to_vec(),
    }
}
