-- By when the fee of a place is due, or what the deposit leaves of it. Null: nothing is left, or the offer is from before
-- it was promised, and the days of `[money] due_days` count from the acceptance.
alter table admission_offers add column fee_due_on text check (fee_due_on is date(fee_due_on));
