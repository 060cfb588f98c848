/** The topic of the job that sends. */
export const SENDING = 'webhooks'

/** What payments say after a commit that wrote events. */
export const WRITTEN = 'deliveries'
