import { TEST_CARDS } from '../../src/sandbox/values/values.ts'
import { OPERATOR_TOKEN, SECRET_KEY } from './node.ts'
import type { Scene } from './scene.ts'

/** No card number, key or secret is in any row or in the log. */
export function nothingSecretIsWritten({ world, merchants, tables }: Scene): string[] {
  const secrets = [
    OPERATOR_TOKEN,
    SECRET_KEY,
    ...(world.provider?.simulator.secrets ?? []),
    ...TEST_CARDS.map((card) => card.number),
    ...merchants.flatMap(({ appId, apiKey, webhookSecret }) => [
      apiKey,
      webhookSecret,
      world.sandbox.openAccount(appId).apiKey,
    ]),
  ]
  return [...tables, { name: 'the log', text: world.lines.join('\n') }]
    .filter(({ text }) => secrets.some((secret) => text?.includes(secret)))
    .map(({ name }) => `${name} holds a secret or a card number`)
}
