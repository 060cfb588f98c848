import { createConfig, lintFromString } from '@redocly/openapi-core'

/** What a linter finds in an OpenAPI document, each as one line; none when it is clean. */
export async function openApiProblems(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // `payments/{paymentId}` and `payments/hosted-page` are told apart by the router: the literal wins.
      'no-ambiguous-paths': 'off',
      // The document names the address it is served from, which in development is this machine.
      'no-server-example.com': 'off',
    },
  })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
  )
}
