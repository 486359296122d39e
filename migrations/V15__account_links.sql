-- Links know two more things to do: a password is chosen by whoever proves the mailbox after an
-- address was registered again, and a change of address is undone from the old mailbox. SQLite
-- cannot widen a CHECK, so the table is made anew; it holds a handful of rows.
create table new_student_tokens (
    token_hash blob primary key check (length(token_hash) = 32),
    student_id integer not null references students (id) on delete cascade,
    purpose text not null check
        (purpose in ('verify', 'choose_password', 'change_email', 'reset_password', 'undo_email')),
    -- The address whose mailbox the link proves.
    email text not null collate nocase,
    created_at integer not null,
    expires_at integer not null,
    used_at integer
) strict, without rowid;

insert into new_student_tokens (token_hash, student_id, purpose, email, created_at, expires_at, used_at)
select token_hash, student_id, purpose, email, created_at, expires_at, used_at from student_tokens;

drop table student_tokens;
alter table new_student_tokens rename to student_tokens;

create index student_tokens_student on student_tokens (student_id, purpose);
-- An address that its account may still take back is not given to another one.
create index student_tokens_undo on student_tokens (email) where purpose = 'undo_email';

-- What somebody who is not signed in asked for. The request itself is all that is written before the
-- answer, so that the answer and its time are the same whether the address has an account or not; a
-- worker makes links and e-mails of it a moment later.
create table account_requests (
    id integer primary key,
    kind text not null check (kind in ('register', 'resend_verification', 'forgot_password')),
    email text not null collate nocase,
    -- Of a registration: PHC string of the password that was chosen.
    password_hash text,
    created_at integer not null,
    check ((kind = 'register') = (password_hash is not null))
) strict;

create index account_requests_created on account_requests (created_at);

-- Accounts that nobody verified are looked for once an hour.
create index students_unverified on students (updated_at) where status = 'unverified';
