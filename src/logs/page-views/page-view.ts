/** The first view of a payment page for a step and a day. */
export interface PaymentPageView {
  readonly appId: string
  readonly paymentId: number
  readonly step: PageStep
  /** The app's time. */
  readonly visitTime: Date
  readonly language: string
  /** ISO 3166-1, where a proxy tells it. */
  readonly country: string | null
  readonly device: 'mobile' | 'desktop'
  /** The method that was chosen. */
  readonly method: string | null
}

export type PageStep = 'opened' | 'chosen' | 'submitted'
