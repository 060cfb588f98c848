-- What people write about a payment or a customer, and who of the team takes care of it. The subject is as in
-- the audit log: `payment:10001`, `customer:dana`.
create table notes (
  app_id text not null references apps,
  note_id bigint generated always as identity,
  subject text not null check (subject ~ '^(payment|customer):'),
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  text text not null check (length(text) between 1 and 2000),
  created_time timestamptz not null,
  primary key (app_id, note_id)
);
create index notes_of_subject on notes (app_id, subject, note_id);

create table assignments (
  app_id text not null references apps,
  subject text not null check (subject ~ '^(payment|customer):'),
  person_id text not null references people on delete cascade,
  assigned_time timestamptz not null,
  primary key (app_id, subject)
);
create index assignments_of_person on assignments (app_id, person_id, assigned_time, subject);
create index assignments_person on assignments (person_id);

-- Views that the whole team sees, and the columns that a person has chosen for the list of payments.
alter table saved_views add column is_shared boolean not null default false;
create table list_columns (
  person_id text primary key references people on delete cascade,
  columns text[] not null check (cardinality(columns) between 1 and 50)
);

-- Customers are listed from the newest on.
create index customers_newest on customers (app_id, created_time, customer_id);

-- Why money was given back, as a choice.
alter table operations add column reason text
  check (reason in ('duplicate', 'fraudulent', 'requested-by-customer', 'other'));
alter table refunds add column reason text
  check (reason in ('duplicate', 'fraudulent', 'requested-by-customer', 'other'));
