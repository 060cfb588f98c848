-- No statement finds entries by their payment, and every entry of a payment paid for the index.
drop index ledger_entries_payment;
