-- The hosted checkout: how an app shows itself to its payers, and what a payer agreed to when a method was
-- stored.

alter table apps
  add column logo         bytea,               -- kept here: a payer's page asks no other host for anything
  add column logo_type    text,
  add column logo_hash    text collate "C",    -- part of its address, which browsers keep for ever
  add column color        text check (color ~ '^#[0-9a-f]{6}$'),
  add column slogan1      text,
  add column slogan2      text,
  add column support      text,                -- a web address or an e-mail address
  add column terms_url    text,
  add column privacy_url  text,
  add column locale       text,
  add column theme        text check (theme in ('light', 'dark')),
  add constraint apps_logo_whole check (num_nulls(logo, logo_type, logo_hash) in (0, 3));

alter table payment_methods
  add column consent_text  text,               -- which wording, in which version and language
  add column consent_time  timestamptz,
  add column consent_ip    text;
