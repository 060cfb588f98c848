import { createQueue } from '../../node/queue.ts'
import { slot } from '../../node/slot.ts'

/**
 * Reports of one app wait here for each other, so that they hold one database connection and not one each:
 * they would wait for the lock of their source, and payments of other apps for a connection.
 */
export const reportQueue = slot('reportQueue', createQueue, {
  holds: 'settlement reports that are read and written, by app',
  until: 'the end of the last',
  restart: 'nothing: the request ends too, and sources are locked by their rows as well',
})
