-- The sandbox's bank keeps its payments and answers for a limited time. Both times are real time. The default
-- is for rows of earlier versions, also while one of them still runs.
alter table sandbox_bank.payments add column opened_time timestamptz not null default now();
create index payments_opened on sandbox_bank.payments (opened_time);

alter table sandbox_bank.requests add column answered_time timestamptz not null default now();
create index requests_answered on sandbox_bank.requests (answered_time);
