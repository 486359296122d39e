-- An account starts with address and password; the profile is null until it is completed.
create table students (
    id integer primary key,
    email text not null collate nocase unique,
    password_hash text not null,
    status text not null default 'unverified'
        check (status in ('unverified', 'active', 'suspended', 'closed')),
    full_name text,
    -- date() normalises, so an impossible date such as 2009-02-30 does not equal its own image.
    date_of_birth text check (date_of_birth is date(date_of_birth)),
    gender text check (gender in ('male', 'female', 'other')),
    canadian_status text
        check (canadian_status in ('citizen', 'permanent_resident', 'international_student', 'other')),
    address text,
    city text,
    province text check (province in
        ('AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'QC', 'SK', 'YT')),
    postal_code text,
    phone_number text,
    parent_name text,
    parent_contact text,
    last_school text,
    last_grade_completed text,
    transferring_credits integer not null default 0 check (transferring_credits in (0, 1)),
    -- A changed address waits here until it is confirmed from its own mailbox.
    pending_email text collate nocase,
    created_at integer not null,
    updated_at integer not null
) strict;

-- Links sent by mail. Only the SHA-256 of a token is kept: a leaked database opens no account.
create table student_tokens (
    token_hash blob primary key check (length(token_hash) = 32),
    student_id integer not null references students (id) on delete cascade,
    purpose text not null check (purpose in ('verify', 'change_email', 'reset_password')),
    -- The address whose mailbox the link proves.
    email text not null collate nocase,
    created_at integer not null,
    expires_at integer not null,
    used_at integer
) strict, without rowid;

create index student_tokens_student on student_tokens (student_id, purpose);
