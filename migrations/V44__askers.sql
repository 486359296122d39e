-- Who asked for an e-mail without being signed in: a keyed hash of the address block, or of the account where
-- the browser is known for it. Emptied a day after the e-mail left.
alter table outbox add column asker blob check (asker is null or length(asker) = 16);
create index outbox_asker on outbox (asker, charged_at) where asker is not null;
create index outbox_asked on outbox (charged_at) where asker is not null;

-- The same until the request is worked off a moment later.
alter table account_requests add column asker blob check (asker is null or length(asker) = 16);
alter table account_requests add column is_owner integer not null default 0 check (is_owner in (0, 1));
alter table staff_requests add column asker blob check (asker is null or length(asker) = 16);
alter table staff_requests add column is_owner integer not null default 0 check (is_owner in (0, 1));

-- One more reason for which an e-mail is not sent. SQLite cannot widen a CHECK, so the table is made again.
create table new_mail_hours (
    hour integer not null,
    kind text not null,
    outcome text not null check (outcome in ('office', 'accepted', 'recipient', 'account', 'block', 'school')),
    count integer not null check (count > 0),
    primary key (hour, kind, outcome)
) strict, without rowid;

insert into new_mail_hours (hour, kind, outcome, count) select hour, kind, outcome, count from mail_hours;

drop table mail_hours;
alter table new_mail_hours rename to mail_hours;
