-- Exceptions of one payment, and closed ones of one kind, are found without reading the others.
drop index settlement_exceptions_payment;
create index settlement_exceptions_payment on settlement_exceptions (app_id, payment_id, exception_id)
  where payment_id is not null;
create index settlement_exceptions_closed on settlement_exceptions (app_id, kind, exception_id)
  where closed_time is not null;
