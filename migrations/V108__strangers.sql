-- Whether an email counts among those that strangers cause, which share one count per mailbox.
alter table outbox add column is_strangers integer not null default 0 check (is_strangers in (0, 1));
create index outbox_strangers on outbox (mailbox, charged_at) where is_strangers = 1;
