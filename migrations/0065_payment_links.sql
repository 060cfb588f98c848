-- Payment links that many payers use. Each payer gets a payment of their own.
create table payment_links (
  app_id text not null references apps,
  link_id text not null,
  -- The secret part of its address.
  link_key text not null,
  -- The payer chooses an amount between the two. A fixed amount is both.
  least_minor bigint not null check (least_minor > 0),
  most_minor bigint not null check (most_minor >= least_minor),
  currency text not null,
  description text not null,
  -- What the references of its payments begin with. Null: the id of the link.
  reference_prefix text,
  -- Null: any number.
  maximum_payments integer check (maximum_payments > 0),
  auto_capture boolean not null,
  return_url text,
  created_time timestamptz not null,
  expiration_time timestamptz,
  withdrawn_time timestamptz,
  primary key (app_id, link_id)
);
create unique index payment_links_key on payment_links (app_id, link_key);
create index payment_links_list on payment_links (app_id, created_time, link_id);

-- A place of a link, taken before the payment with this reference is created.
create table payment_link_places (
  app_id text not null,
  link_id text not null,
  reference_id text not null,
  taken_time timestamptz not null,
  -- Without a payment, the place is free again then.
  held_until timestamptz not null,
  primary key (app_id, reference_id),
  foreign key (app_id, link_id) references payment_links
);
create index payment_link_places_list on payment_link_places (app_id, link_id, taken_time, reference_id);
