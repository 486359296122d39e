-- SHA-256 of a family's form as it was sent: only the whole form sent again is the same application.
alter table admission_requests add column form_digest blob check (form_digest is null or length(form_digest) = 32);
