-- What an e-mail says, as a JSON array of its parts; both bodies are drawn when it leaves and are empty
-- here. E-mails of earlier programs have them. Emptied like them once it is sent.
alter table outbox add column content text
    check (content is null or (json_valid(content) and state <> 'sent'));
