-- What an e-mail is about, in the program's words: it decides how urgent the e-mail is and which budget
-- pays for it. Null: written before there were kinds.
alter table outbox add column kind text;

-- 0 leaves before everything that is not 0: somebody sits and waits for a link.
alter table outbox add column urgency integer not null default 1 check (urgency in (0, 1));

-- Whose budget an e-mail was charged to, and when; a delayed one is charged at the moment it leaves.
-- The mailbox is the recipient's address without the spellings that reach the same person. All null
-- where no budget applies.
alter table outbox add column mailbox text;
alter table outbox add column caused_by integer references students (id) on delete set null;
alter table outbox add column charged_at integer;

-- E-mails on one topic say the same thing again: only the newest of those that wait is sent.
alter table outbox add column topic text not null default '';

-- Whether a sent e-mail was only written as a file, because no mail server was configured.
alter table outbox add column is_in_file integer not null default 0 check (is_in_file in (0, 1));

drop index outbox_queue;
create index outbox_queue on outbox (urgency, next_attempt_at) where state = 'queued';
create index outbox_mailbox on outbox (mailbox, kind, topic, charged_at) where mailbox is not null;
create index outbox_account on outbox (caused_by, charged_at) where caused_by is not null;

-- How many e-mails of a kind were taken or turned away in each hour since 1970; names nobody.
create table mail_hours (
    hour integer not null,
    kind text not null,
    outcome text not null check (outcome in ('office', 'accepted', 'recipient', 'account', 'school')),
    count integer not null check (count > 0),
    primary key (hour, kind, outcome)
) strict, without rowid;
