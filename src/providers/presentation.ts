/** What the console explains beside the form for the settings. Names are in the provider's own words. */
export interface SetupFacts {
  /** What the key must be allowed to do. */
  readonly rights: readonly string[]
  /** Without these, something smaller does not work. */
  readonly optionalRights?: readonly string[]
  /** By the setting, the page of the provider that shows it. Absent: it is on the merchant's server. */
  readonly keyPages?: Readonly<Record<string, KeyPage>>
  /** To be chosen where the address is entered by hand. Empty: nothing is chosen at the provider. */
  readonly events: readonly string[]
}

/** Of test accounts, and of accounts with real money. */
interface KeyPage {
  readonly sandbox: string
  readonly live: string
}

/** A drawn mark, so that providers are told apart without their trademarks. */
export interface ProviderMark {
  readonly letters: string
  /** Of the background, 0 to 359. */
  readonly hue: number
  readonly shape: 'card' | 'circle' | 'diamond' | 'hexagon' | 'square' | 'wave' | 'pill'
}
