-- Leases of senders that died are found by their end, not by a walk over every endpoint with a queue. The
-- condition is one that no other statement on deliveries names, so no other statement can choose this index.
create index deliveries_lease_due on deliveries (due_time) where lease_token is not null;
