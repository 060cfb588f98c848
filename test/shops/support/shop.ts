import type { Dice } from '../../simulate/dice.ts'
import type { HostProcess } from './host.ts'
import type { Person } from './person.ts'
import type { TenderService, World } from './world.ts'

/** What a shopper brings to a cart. */
export interface CartWish {
  readonly quantity: number
  /** The money is reserved first and captured by the merchant. Default: taken at once. */
  readonly isManual?: boolean
  /** The e-mail address of an account that is made if there is none; the shopper is signed in. */
  readonly account?: string
  /** Default: that of the shop, with two decimals. */
  readonly currency?: 'JPY' | 'KWD'
}

/** A payment as the shop's own database has it. Amounts are in minor units. */
export interface ShopPayment {
  readonly paymentId: number
  readonly state: 'authorized' | 'captured'
  readonly amount: number
  readonly refunded: number
  readonly pendingRefunds: number
}

export interface ShopOrder {
  /** Orders that were made of this cart. */
  readonly orders: number
  readonly total: number
  /** Those that count: not declined, failed or cancelled. */
  readonly payments: readonly ShopPayment[]
}

/** A cart and the order that it becomes, used over the host's own HTTP API. */
export interface Cart {
  /** What the storefront does when the shopper presses "Pay": the address of the hosted page. */
  checkout(): Promise<string>
  changeQuantity(quantity: number): Promise<void>
  /** What the storefront does when the browser comes back. A refusal of the host is no error here. */
  complete(): Promise<void>
  /** As `complete`, by a hostile browser: it names another payment and another amount. */
  cheat(paymentId: number): Promise<void>
  /** As the host's database has it. */
  order(): Promise<ShopOrder>
  /** The merchant's acts. A refusal of the host is thrown. */
  capture(): Promise<void>
  cancel(): Promise<void>
  /** Cancels the order, or the cart where the host has no order yet. */
  cancelOrder(): Promise<void>
  refund(amount: number): Promise<void>
}

/** A shop system with the plugin, running. */
export interface Shop {
  readonly process: HostProcess
  /** Where the plugin takes webhooks. */
  readonly webhookUrl: string
  newCart(wish: CartWish): Promise<Cart>
}

/** How the day is lived with a shop system. */
export interface ShopSystem {
  readonly name: string
  /** On a database of its own. */
  start(world: World): Promise<Shop>
}

/** Everything that a case uses. */
export interface Stage {
  readonly shop: Shop
  readonly tender: TenderService
  readonly person: Person
  readonly dice: Dice
}
