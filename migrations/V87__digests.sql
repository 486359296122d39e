-- Whether a staff member gets the weekday email about what waits at the own address.
alter table users add column digest integer not null default 0 check (digest in (0, 1));
