/**
 * A row that makes the statement's commit asynchronous: it does not wait for the disk, and a crash of
 * PostgreSQL may lose it.
 */
export const ASYNCHRONOUS = `(select set_config('synchronous_commit', 'off', true) offset 0) as asynchronous`
