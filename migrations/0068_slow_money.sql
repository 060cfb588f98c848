-- Money that arrives after a link has ended is kept instead of given back.
alter table apps add column accept_late_payments boolean not null default false;

-- Shown on the payer's bank statement, unless the payment has its own.
alter table apps add column statement_descriptor text;
alter table apps add constraint apps_statement_descriptor_check check (length(statement_descriptor) <= 22);
