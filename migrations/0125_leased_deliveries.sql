-- A delivery that is being sent is in one index beside its key, not in two: the slots in use of an endpoint
-- and the leases that ended are found by the same entry. Nearly all deliveries are leased by the statement
-- that writes them, so they are never in the queue. No condition follows from another: see 0003.
create index deliveries_leased on deliveries (app_id, endpoint, due_time) where lease_token is not null;
create index deliveries_ready on deliveries (app_id, endpoint, due_time, payment_id, sequence)
  where status = 'ready';
-- Last, because reads wait for it: until here only writes do.
drop index deliveries_queue, deliveries_lease_due;
