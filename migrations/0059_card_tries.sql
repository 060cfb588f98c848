-- Refuse charges of stored cards that the card networks forbid.
alter table apps add column retry_guard boolean not null default true;

-- Card details that the provider or the customer renewed. Null: never changed.
alter table payment_methods add column card_changed_time timestamptz;

-- Serialises charges of one card: a try is written only with the version that its check has read.
create table charged_cards (
  app_id   text not null,
  -- A hash that names the card at its provider.
  card     text not null,
  version  integer not null,
  constraint charged_cards_pkey primary key (app_id, card)
);

-- Every charge of a stored method. Its result is that of the operation.
create table card_tries (
  app_id         text not null,
  operation_key  text not null,
  card           text not null,
  currency       text not null,
  amount_minor   bigint not null,
  try_time       timestamptz not null,
  constraint card_tries_pkey primary key (app_id, operation_key),
  constraint card_tries_amount_minor_check check (amount_minor > 0)
);
create index card_tries_of_card on card_tries (app_id, card, try_time desc);
