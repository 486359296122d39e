//! `[limits]`: rate limits.

section! {
    /// `[limits]`: rate limits.
    pub struct Limits {
        /// Failed logins from one client address, per minute.
        pub logins_per_minute: u32 = 30,
        /// Failed logins from one site (an IPv4 address, the /48 of an IPv6 address), per hour.
        pub failed_logins_per_site_per_hour: u32 = 100,
        /// Failed logins in all, per hour.
        pub failed_logins_in_all_per_hour: u32 = 2000,
        /// Wrong passwords for one account from anywhere, per hour.
        pub wrong_passwords_per_account_per_hour: u32 = 20,
        /// Wrong passwords for one account from one address before each further one costs a wait.
        pub wrong_passwords: u32 = 5,
        /// New student accounts, per hour.
        pub registrations_per_hour: u32 = 10,
        /// New student accounts from one block (the /24 of an IPv4 address, the /48 of an IPv6 address), per hour.
        pub registrations_per_block_per_hour: u32 = 30,
        /// Contact messages, per hour.
        pub contacts_per_hour: u32 = 10,
        /// Contact messages from one block, per hour.
        pub contacts_per_block_per_hour: u32 = 30,
        /// Applications for a place, per hour.
        pub applications_per_hour: u32 = 10,
        /// Applications for a place from one block, per hour.
        pub applications_per_block_per_hour: u32 = 30,
        /// Uploaded documents, per hour.
        pub uploads_per_hour: u32 = 60,
        /// Uploaded documents from one block, per hour.
        pub uploads_per_block_per_hour: u32 = 180,
        /// Requests for a password or verification link to one mailbox from one address, per hour.
        pub password_resets_per_hour: u32 = 10,
        /// Requests for links to any mailbox, and uses of invalid links, from one address, per hour.
        pub links_per_hour: u32 = 100,
        /// Requests for links to any mailbox from one block, per hour.
        pub links_per_block_per_hour: u32 = 300,
        /// Documents that one staff session may open per hour before it has to authenticate again.
        pub documents_opened_per_hour: u32 = 60,
        /// Downloads of a student's own data, per day.
        pub data_downloads_per_day: u32 = 5,
        /// Maximum lifetime of a student's session in days, whether it is used or not.
        pub student_session_days: u32 = 365,
        /// Sessions per account at a time. Another login ends the one that was used least recently.
        pub sessions_per_account: u32 = 100,
    }
}
