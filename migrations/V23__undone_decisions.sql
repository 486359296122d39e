-- Which decision made a transition, and which transition it takes back.
alter table enrollment_events add column decision_id text references decisions (id);
alter table enrollment_events add column undoes_id integer references enrollment_events (id);
create index enrollment_events_decision on enrollment_events (decision_id) where decision_id is not null;
create unique index enrollment_events_undoes on enrollment_events (undoes_id) where undoes_id is not null;
