-- A charge without a currency is made in the currency of the payment that registered the method. A method
-- that was kept without a payment has none. The time is that payment's creation: an older payment that a
-- provider reports again does not change the currency back.
alter table payment_method_tokens add column currency text, add column currency_time timestamptz;

-- The registering payment began before the registration was written; later ones only used it.
update payment_method_tokens t set currency = p.currency, currency_time = p.created_time
from (
  select distinct on (u.app_id, u.token_id) u.app_id, u.token_id, u.currency, u.created_time
  from payments u join payment_method_tokens k on k.app_id = u.app_id and k.token_id = u.token_id
  where u.flow <> 'AutoPayment' and u.created_time <= k.created_time
  order by u.app_id, u.token_id, u.payment_id
) p
where t.app_id = p.app_id and t.token_id = p.token_id;
