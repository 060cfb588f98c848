-- A sandbox app may hold back its webhooks for a while, to test what a late one does. In the app's own time.
alter table apps
  add column webhooks_held_until timestamptz,
  add constraint apps_webhooks_held check (webhooks_held_until is null or is_sandbox);
