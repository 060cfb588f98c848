-- Notifications of refunds and disputes whose payment is not known yet. They are kept for a day, a limited
-- number for each profile.
alter table provider_notifications add is_unmatched boolean not null default false;
create index provider_notifications_unmatched on provider_notifications (app_id, profile_id, received_time)
  where is_unmatched and status = 'new';
