-- Whoever pays with a card that was stored before, or was removed, is recognised among all methods of the
-- customer: the removed ones are found by the same index.
drop index payment_methods_of_customer;
create index payment_methods_of_customer on payment_methods (app_id, customer_id);
create index payment_method_tokens_of_method on payment_method_tokens (app_id, payment_method_id);
