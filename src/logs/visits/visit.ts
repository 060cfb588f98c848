/** The first visit of a payment page for a step and a day. */
export interface PageVisit {
  readonly appId: string
  readonly paymentId: number
  readonly step: VisitStep
  /** The app's time. */
  readonly visitTime: Date
  readonly language: string
  /** ISO 3166-1, where a proxy tells it. */
  readonly country: string | null
  readonly device: 'mobile' | 'desktop'
  /** The method that was chosen. */
  readonly method: string | null
}

export type VisitStep = 'opened' | 'chosen' | 'submitted'
