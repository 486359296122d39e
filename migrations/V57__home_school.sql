-- The school that a student attends beside this one.
alter table students add column home_school text;

drop trigger students_versioned;
create trigger students_versioned after update of email, status, full_name, preferred_name, date_of_birth,
    gender, canadian_status, address, city, province, postal_code, phone_number, parent_name,
    parent_contact, last_school, last_grade_completed, home_school, transferring_credits, country, region,
    guardian_confirmed_at, merged_into on students
when new.version = old.version
begin update students set version = old.version + 1 where id = old.id; end;
