-- Payers of payment links who are asked for no name are no customers that the merchant knows: lists leave
-- them out. The condition is that of src/customers/store.ts.
drop index customers_by_time;
create index customers_by_time on customers (app_id, created_time, customer_id)
  where customer_id !~ '^payer-[0-9a-z]{24}$' or first_name is not null or last_name is not null
    or email is not null or mobile_number is not null;
