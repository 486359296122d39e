-- The office's list of letters, newest first, whole or in one state; counts come from the same
-- indexes, and so does what is old enough to be forgotten.
create index outbox_created on outbox (created_at);
create index outbox_state on outbox (state, created_at);
drop index outbox_dead;

-- When the office had a letter begin anew; its 48 hours count from here. Null: from created_at.
alter table outbox add column renewed_at integer;
