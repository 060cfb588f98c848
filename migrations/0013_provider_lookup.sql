-- Some providers name only their own id in a notification. Their adapters store it as the handle `lookup`;
-- other operations are not in the index.
create index operations_lookup on operations (app_id, profile_id, (handles ->> 'lookup'))
  where handles ->> 'lookup' is not null;
