-- Each row of the audit trail is bound to all before it: SHA-256 of the hash before and of the row. A side
-- table, because `audit` is frozen by its triggers. Rows from before are linked by the server after its
-- start, a few thousand at a time.
create table audit_chain (
    audit_id integer primary key references audit (id),
    hash blob not null check (length(hash) = 32)
) strict;

create trigger audit_chain_is_never_edited before update on audit_chain
begin select raise(abort, 'the audit trail is append-only'); end;

create trigger audit_chain_is_never_shortened before delete on audit_chain
begin select raise(abort, 'the audit trail is append-only'); end;

-- The trail is read newest first: whole, or by one of these.
create index audit_at on audit (at);
create index audit_actor on audit (actor, at);
create index audit_user on audit (user_id, at);
create index audit_action on audit (action, at);
drop index audit_object;
create index audit_object on audit (object, object_id, at);
create index audit_kind on audit (object, at);
