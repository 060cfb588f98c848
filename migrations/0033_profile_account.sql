-- The provider's id of the account, learned by the first successful check. Null: not known.
alter table payment_profiles add column account text;

-- When a verified notification of a profile arrived last, to the minute. Not a column of the profile, because
-- it changes often and the settings do not.
create table profile_notifications (
  app_id      text collate "C" not null,
  profile_id  bigint not null,
  last_time   timestamptz not null,
  primary key (app_id, profile_id),
  foreign key (app_id, profile_id) references payment_profiles
);

-- Finds the stored method that a provider reports as deleted: sealed tokens cannot be compared. Null: stored
-- by an earlier version, or erased.
alter table payment_method_tokens add column token_hash bytea;
create index payment_method_tokens_by_hash on payment_method_tokens (app_id, profile_id, token_hash)
  where removed_time is null and token_hash is not null;
