-- A delivery that is being sent is found by its lease, so that the list of pending ones need not hold it too:
-- most deliveries are leased by the statement that writes them, and never wait. The condition does not follow
-- from one on the status, so no claim can choose this index.
drop index deliveries_pending;
create index deliveries_pending on deliveries (app_id, queued_time, payment_id, sequence, endpoint_id)
  where due_time is not null and lease_token is null;

-- Room for the versions of a payment on its page: a version on another page has an entry in every index.
alter table payments set (fillfactor = 60);
