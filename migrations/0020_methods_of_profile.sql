-- How many stored methods depend on a provider profile: asked before the profile is turned off.
create index payment_method_tokens_of_profile on payment_method_tokens (app_id, profile_id)
  where removed_time is null;
