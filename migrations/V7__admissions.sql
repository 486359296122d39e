create table admission_requests (
    id integer primary key,
    first_name text not null,
    last_name text not null,
    email text not null collate nocase,
    phone text not null,
    address text not null,
    grade integer not null check (grade between 9 and 12),
    previous_school text,
    status text not null default 'pending' check (status in
        ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted', 'expired',
         'declined', 'withdrawn')),
    created_at integer not null
) strict;

create index admission_requests_status on admission_requests (status, created_at);

create table admissions (
    id integer primary key,
    request_id integer not null unique references admission_requests (id),
    fee_due_cents integer not null check (fee_due_cents between 0 and 9999999999),
    fee_paid_cents integer not null default 0 check (fee_paid_cents between 0 and 9999999999),
    enrollment_date integer not null,
    status text not null default 'active' check (status in ('active', 'completed', 'cancelled'))
) strict;
