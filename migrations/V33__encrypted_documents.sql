-- How the file of a document lies on the disk. Without a key: as it was uploaded. With one: encrypted, and
-- `sha256`, by which the file is named, is of what lies there, which says nothing about the content.
alter table student_documents add column key_id text check (length(key_id) = 16);
-- Of the content, by the key: equal contents have equal ones, and a file that is another row's is noticed.
alter table student_documents add column content_mac blob
    check (length(content_mac) = 32 and (content_mac is null) = (key_id is null));

create index student_documents_key on student_documents (key_id);

-- The key under which the sum of what was removed says nothing about its content; null: a plain one.
alter table document_removals add column key_id text check (length(key_id) = 16);
create index document_removals_plain on document_removals (document_id) where key_id is null;
