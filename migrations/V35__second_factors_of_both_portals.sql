-- The second factor of both portals: what the office's accounts had alone until now, students may have as well.
create table second_factors (
    portal text not null check (portal in ('student', 'staff')),
    -- Of `users` or of `students`, whose triggers below take the rows along.
    account_id integer not null,
    secret blob not null check (length(secret) = 20),
    created_at integer not null,
    -- When a first code of the app proved it; until then it counts for nothing.
    confirmed_at integer,
    -- The step of 30 seconds whose code was taken last: it and those before it are worth nothing any more.
    last_step integer not null default 0,
    primary key (portal, account_id)
) strict, without rowid;

-- What lets somebody in without their app, each once. Only the SHA-256 of a code is kept, which has 120 bits.
create table recovery_codes (
    code_hash blob primary key check (length(code_hash) = 32),
    portal text not null check (portal in ('student', 'staff')),
    account_id integer not null,
    used_at integer
) strict, without rowid;

create index recovery_codes_account on recovery_codes (portal, account_id);

insert into second_factors (portal, account_id, secret, created_at, confirmed_at, last_step)
select 'staff', user_id, secret, created_at, confirmed_at, last_step from staff_totp;

insert into recovery_codes (code_hash, portal, account_id, used_at)
select code_hash, 'staff', user_id, used_at from staff_recovery_codes;

drop table staff_recovery_codes;
drop table staff_totp;

create trigger users_second_factor after delete on users begin
    delete from second_factors where portal = 'staff' and account_id = old.id;
    delete from recovery_codes where portal = 'staff' and account_id = old.id;
end;

create trigger students_second_factor after delete on students begin
    delete from second_factors where portal = 'student' and account_id = old.id;
    delete from recovery_codes where portal = 'student' and account_id = old.id;
end;
