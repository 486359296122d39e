-- The letters before payment codes: the capitals of each name the school has had, so that a code given to a family under
-- an earlier name is still known. Those before this version are unknown.
create table school_letters (
    letters text primary key check (length(letters) between 2 and 4)
) strict, without rowid;
