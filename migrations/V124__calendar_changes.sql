-- When what calendars show of a term and of a course was last changed, and how often a course was renamed: the events of
-- both feeds say so. Null: never.
alter table terms add column changed_at integer;
update terms set changed_at = (select max(a.at) from audit a where a.object = 'term' and a.object_id = terms.id and a.action = 'update')
where version > 1;
alter table courses add column renamed_at integer;
alter table courses add column renames integer not null default 0;
