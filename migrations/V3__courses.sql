-- The catalogue: what visitors read, students enroll in and staff keep.
create table courses (
    -- Autoincrement: the number of a deleted course is never given to another one, so that an old
    -- audit row or a page left open in a browser cannot mean the wrong course.
    id integer primary key autoincrement,
    -- nocase: "eng4u" and "ENG4U" are one code.
    code text not null collate nocase
        check (length(code) between 2 and 10 and code not glob '*[^A-Z0-9-]*'),
    name text not null check (length(name) between 3 and 200),
    description text not null check (length(description) between 10 and 5000),
    grade integer not null check (grade between 9 and 12),
    course_type text not null check (course_type in
        ('Academic', 'Applied', 'Open', 'University', 'University/College', 'College', 'Workplace')),
    is_compulsory integer not null default 0 check (is_compulsory in (0, 1)),
    -- Text, not a reference: some courses ask for one of several, or for one this school does not teach.
    prerequisite text check (length(prerequisite) between 1 and 200),
    -- Null: no price is set, which is not the same as free. Ten digits, two of them decimals.
    price_cents integer check (price_cents between 0 and 9999999999),
    -- 100 is one credit of 110 hours; civics and careers are 50.
    credits_hundredths integer not null default 100 check (credits_hundredths between 1 and 400),
    created_at integer not null,
    updated_at integer not null,
    -- Set when a course with enrollments is deleted: gone from every list, kept under them.
    archived_at integer
) strict;

-- Partial: an archived course gives its code free.
create unique index courses_code on courses (code) where archived_at is null;

-- How often the rows behind a cached answer have changed. The triggers count, not the program: any
-- process that writes, the import on the command line too, makes a running server's copy stale.
create table revisions (
    topic text primary key,
    value integer not null
) strict, without rowid;

insert into revisions (topic, value) values ('courses', 1);

create trigger courses_inserted after insert on courses
begin update revisions set value = value + 1 where topic = 'courses'; end;

create trigger courses_updated after update on courses
begin update revisions set value = value + 1 where topic = 'courses'; end;

create trigger courses_deleted after delete on courses
begin update revisions set value = value + 1 where topic = 'courses'; end;
