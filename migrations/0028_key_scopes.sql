-- An API key may be limited to scopes; null: it may do everything, as all keys before. The client address of
-- the last use is kept beside its time.
alter table api_keys
  add column scopes text[],
  add column last_used_address text,
  add constraint api_keys_scopes check (scopes is null or cardinality(scopes) between 1 and 20),
  add constraint api_keys_address check (last_used_address is null or last_used_time is not null);
