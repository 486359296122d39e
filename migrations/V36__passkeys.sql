-- Passkeys: credentials of browsers, phones and security keys (W3C Web Authentication) as a second factor of
-- accounts of the office and of students.
create table passkeys (
    id integer primary key,
    portal text not null check (portal in ('student', 'staff')),
    -- Of `users` or of `students`, whose triggers below take the rows along.
    account_id integer not null,
    -- What its owner calls it.
    name text not null check (length(name) between 1 and 60),
    credential_id blob not null unique check (length(credential_id) between 1 and 1023),
    -- In the COSE form (RFC 9053), as the browser sent it.
    public_key blob not null check (length(public_key) between 1 and 2048),
    -- How often its authenticator had signed when it was used last; 0 where it does not count.
    counter integer not null check (counter >= 0),
    -- How a browser may reach it, in the words of the specification, with spaces between.
    transports text not null,
    created_at integer not null,
    last_used_at integer
) strict;

create index passkeys_account on passkeys (portal, account_id);

create trigger users_passkeys after delete on users begin
    delete from passkeys where portal = 'staff' and account_id = old.id;
end;

create trigger students_passkeys after delete on students begin
    delete from passkeys where portal = 'student' and account_id = old.id;
end;

-- Whose login takes more than the password.
create view second_factor_owners as
select portal, account_id from second_factors where confirmed_at is not null
union all
select portal, account_id from passkeys;
