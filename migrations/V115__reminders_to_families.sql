-- A family that was asked for information is reminded. Nothing of the rows changes: the list of steps is widened in the
-- schema (https://sqlite.org/lang_altertable.html, section 7, for changes that do not affect what is stored).
pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''resume'', ''disown''', '''resume'', ''disown'', ''remind''')
where type = 'table' and name = 'admission_events';
pragma writable_schema = reset;
