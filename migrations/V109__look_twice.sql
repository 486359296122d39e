-- The field that people do not see was filled in: by a program, or by a person's password manager.
alter table admission_requests add column look_twice integer not null default 0 check (look_twice in (0, 1));
