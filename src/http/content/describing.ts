import type { Route } from '../route.ts'
import { type FixedContent, fixedContent } from './fixed.ts'

/** Serves the OpenAPI document. */
export function describingRoute(describe: () => object): Route {
  let content: FixedContent | undefined
  return {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    tag: 'Service',
    auth: 'none',
    status: 200,
    handler: (_caller, call) => {
      content ??= fixedContent(JSON.stringify(describe()))
      return content.answer(call)
    },
  }
}
