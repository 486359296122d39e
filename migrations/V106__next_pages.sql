-- The page of the portal that a visitor wanted when registering: a class, for example. The email's link leads there.
alter table account_requests add column next_page text;
