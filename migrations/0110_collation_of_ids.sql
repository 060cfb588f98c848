-- Ids and keys compare by code point in all tables (0001), but those that were added later had the collation
-- of the database. A join of two collations can use the index of one side only: for each app without
-- settlement lines, the check for due work read the lines of all apps.
alter table api_log_minutes
  alter column app_id type text collate "C";
alter table assignments
  alter column app_id type text collate "C",
  alter column person_id type text collate "C";
alter table audit_log
  alter column app_id type text collate "C",
  alter column license_id type text collate "C";
alter table block_entries
  alter column app_id type text collate "C",
  alter column customer_id type text collate "C";
alter table card_tries
  alter column app_id type text collate "C",
  alter column operation_key type text collate "C";
alter table charged_cards
  alter column app_id type text collate "C";
alter table country_rollups
  alter column app_id type text collate "C";
alter table delivery_permits
  alter column app_id type text collate "C";
alter table export_choices
  alter column app_id type text collate "C",
  alter column person_id type text collate "C";
alter table export_parts
  alter column app_id type text collate "C";
alter table export_schedules
  alter column app_id type text collate "C";
alter table exports
  alter column app_id type text collate "C";
alter table import_chunks
  alter column app_id type text collate "C";
alter table import_problems
  alter column app_id type text collate "C";
alter table imports
  alter column app_id type text collate "C";
alter table ledger_days
  alter column app_id type text collate "C";
alter table ledger_entries
  alter column app_id type text collate "C";
alter table ledger_fee_progress
  alter column app_id type text collate "C";
alter table ledger_fees
  alter column app_id type text collate "C";
alter table ledger_months
  alter column app_id type text collate "C";
alter table ledger_payments
  alter column app_id type text collate "C";
alter table ledger_payouts
  alter column app_id type text collate "C";
alter table ledger_postings
  alter column app_id type text collate "C";
alter table ledger_progress
  alter column app_id type text collate "C";
alter table list_columns
  alter column person_id type text collate "C";
alter table mail_days
  alter column app_id type text collate "C";
alter table notes
  alter column app_id type text collate "C";
alter table notice_reads
  alter column app_id type text collate "C",
  alter column person_id type text collate "C";
alter table notices
  alter column app_id type text collate "C",
  alter column person_id type text collate "C";
alter table operations
  alter column request_key type text collate "C";
alter table own_roles
  alter column license_id type text collate "C";
alter table page_visits
  alter column app_id type text collate "C";
alter table past_payments
  alter column app_id type text collate "C",
  alter column customer_id type text collate "C",
  alter column reference_id type text collate "C";
alter table payment_link_places
  alter column app_id type text collate "C",
  alter column link_id type text collate "C",
  alter column reference_id type text collate "C";
alter table payment_links
  alter column app_id type text collate "C",
  alter column link_id type text collate "C";
alter table payouts
  alter column app_id type text collate "C";
alter table refund_approvals
  alter column app_id type text collate "C";
alter table settlement_exceptions
  alter column app_id type text collate "C";
alter table settlement_keys
  alter column app_id type text collate "C",
  alter column refund_id type text collate "C";
alter table settlement_lines
  alter column app_id type text collate "C";
alter table settlement_matches
  alter column app_id type text collate "C",
  alter column refund_id type text collate "C";
alter table settlement_progress
  alter column app_id type text collate "C";
alter table settlement_reports
  alter column app_id type text collate "C";
alter table settlement_rows
  alter column app_id type text collate "C";
alter table settlement_sources
  alter column app_id type text collate "C";
alter table settlement_states
  alter column app_id type text collate "C";
alter table settlement_waiting
  alter column app_id type text collate "C";
