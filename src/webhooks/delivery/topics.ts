/** Topic of the sending job. */
export const SENDING = 'webhooks'

/** Topic that payments publish to after a commit that wrote events. */
export const WRITTEN = 'deliveries'
