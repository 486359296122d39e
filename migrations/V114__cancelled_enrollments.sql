-- An enrollment whose section the school cancelled is a state of its own. The two tables are the largest with a state, and
-- nothing of their rows changes: their conditions are widened in the schema
-- (https://sqlite.org/lang_altertable.html, section 7, for changes that do not affect what is stored).
pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''withdrawn'', ''completed''', '''withdrawn'', ''completed'', ''cancelled''')
where type = 'table' and name in ('enrollments', 'enrollment_events');
pragma writable_schema = reset;
