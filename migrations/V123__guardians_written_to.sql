-- When a guardian was last written to about a request: by the clock, or by the office, which reminds once a day.
alter table confirmation_asks add column sent_at integer;
