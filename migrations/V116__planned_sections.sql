-- Sections that are planned in terms, which the office opens once the term is published.
create index sections_planned on sections (term_id, id) where status = 'planned' and term_id is not null;
