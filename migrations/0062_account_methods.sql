-- The methods that the account at the provider has turned on, as it last told. Null: it did not tell yet.
alter table payment_profiles
  add column account_methods text[],
  add column account_methods_time timestamptz,
  add constraint payment_profiles_account_methods
    check ((account_methods is null) = (account_methods_time is null));
