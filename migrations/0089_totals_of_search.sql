-- The totals of a list are summed from the index: payments of one customer, or in a rare state, each lie on
-- another page of the table.
drop index payment_search_by_customer;
create index payment_search_by_customer on payment_search (app_id, customer_id, created_time, payment_id)
  include (currency, amount_minor);

drop index payment_search_by_state;
create index payment_search_by_state on payment_search (app_id, state, created_time, payment_id)
  include (currency, amount_minor);

drop index payment_search_by_reason;
create index payment_search_by_reason on payment_search (app_id, reason, created_time, payment_id)
  include (currency, amount_minor) where reason is not null;

drop index payment_search_by_policy;
create index payment_search_by_policy on payment_search (app_id, policy_id, created_time, payment_id)
  include (currency, amount_minor) where policy_id is not null;
