-- Charges of stored methods that ended without money, by time, for their figures. src/payments/search.
create index payment_search_failed_charges on payment_search (app_id, created_time, payment_id)
  where flow = 'AutoPayment' and state = 'Failed';
