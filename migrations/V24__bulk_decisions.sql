-- Decisions that one press made together, so that one press takes them all back.
alter table decisions add column bulk_id text;
create index decisions_bulk on decisions (bulk_id) where bulk_id is not null;
