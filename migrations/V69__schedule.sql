-- A teacher's other sections, for the warning about two classes at one hour.
create index sections_teacher on sections (teacher_name, starts_on) where teacher_name is not null and status <> 'cancelled';

-- What the site says about the next term.
create trigger terms_inserted_site after insert on terms
begin update revisions set value = value + 1 where topic = 'site'; end;
create trigger terms_updated_site after update on terms
begin update revisions set value = value + 1 where topic = 'site'; end;
create trigger terms_deleted_site after delete on terms
begin update revisions set value = value + 1 where topic = 'site'; end;
