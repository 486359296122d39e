-- The Message-ID of the confirmation that a visitor got, which replies refer to for as long as there is the message.
alter table contact_messages add column confirmation_id text;
-- When the office first replied.
alter table contact_messages add column first_reply_at integer;

update contact_messages set confirmation_id = (
    select message_id from outbox o
    where o.recipient = contact_messages.email and o.kind = 'contact_confirmation'
        and o.created_at <= contact_messages.created_at
    order by o.created_at desc, o.id desc limit 1);

update contact_messages set first_reply_at = (
    select min(r.at) from message_replies r where r.message_id = contact_messages.id and r.kind = 'reply');

-- Who works on open applications.
create index admission_requests_open on admission_requests (assignee_id)
    where status in ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered') and assignee_id is not null;

-- What accepted applications still need from the office: a student, and a deposit that was asked for.
create index admission_requests_without_student on admission_requests (state_since)
    where status = 'accepted' and student_id is null;
create index admission_offers_deposit on admission_offers (deposit_due_on)
    where deposit_cents is not null and accepted_at is not null;

-- Since when a student of age wants the guardians to keep the family page; null where it ends at 18.
alter table students add column family_page_since integer;
