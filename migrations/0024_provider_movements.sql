-- What notifications of a provider that cannot be read have told about an attempt, once each. The provider is
-- never asked for it again, so the rows stay as long as the payment.
create table provider_movements (
  app_id        text collate "C" not null,
  attempt_key   text collate "C" not null,    -- our reference at the provider
  movement      text collate "C" not null,    -- SHA-256 of the provider's name of it
  received_time timestamptz not null,
  sealed        bytea not null,               -- it may have the token of a stored method
  primary key (app_id, attempt_key, movement)
);
