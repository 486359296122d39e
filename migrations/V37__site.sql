-- How the school shows itself on its website: what the office gives it beside the configuration.

-- What was published, as one JSON document each time; the newest is what visitors see.
create table site_versions (
    id integer primary key,
    settings text not null check (json_valid(settings)),
    note text check (length(note) between 1 and 200),
    published_at integer not null,
    published_by integer references users (id)
) strict;

create trigger site_versions_are_never_edited before update on site_versions
begin select raise(abort, 'what was published is not edited'); end;

-- What the office is writing: at most one row.
create table site_draft (
    id integer primary key check (id = 1),
    settings text not null check (json_valid(settings)),
    -- Counts the changes: whoever saves names the one that they saw.
    version integer not null,
    changed_at integer not null,
    changed_by integer references users (id)
) strict;

-- Pictures, written anew in each width that pages ask for. Named by their content.
create table site_pictures (
    id text primary key check (length(id) = 16),
    content_type text not null check (content_type in ('image/jpeg', 'image/png')),
    width integer not null check (width between 1 and 65535),
    height integer not null check (height between 1 and 65535),
    created_at integer not null,
    created_by integer references users (id)
) strict;

create table site_picture_files (
    picture_id text not null references site_pictures (id) on delete cascade,
    width integer not null check (width between 1 and 65535),
    content blob not null,
    unique (picture_id, width)
) strict;

insert into revisions (topic, value) values ('site', 1);

create trigger site_revision after insert on site_versions
begin update revisions set value = value + 1 where topic = 'site'; end;
