import type { ApiCall } from '../../../../logs/api/call.ts'
import { getApiCall } from '../../../../logs/api/commands.ts'
import { NAME_SHOWN, shortText } from '../../../kit/format/short-text.ts'
import { Time } from '../../../kit/format/time.tsx'
import type { AppRequest } from '../../../kit/frame/request.ts'
import { renderScreen } from '../../../kit/frame/shell.tsx'
import { Card, KeyValue } from '../../../kit/html/layout.tsx'
import { CopyText, JsonView } from '../../../kit/html/text.tsx'
import type { PageAnswer } from '../../../kit/request/answer.ts'
import { useRequest } from '../../../kit/screen.tsx'

export async function showApiCall(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers } = texts
  const found = await getApiCall(ctx, app, call.params.requestId ?? '')
  const { idempotencyKey, paymentId } = found
  const customerId = request.can('CustomerRead') ? customerOf(found) : undefined
  return renderScreen(request, {
    name: 'developers',
    title: `${found.method} ${found.path}`,
    crumbs: [{ label: developers.tabs.apiLog, href: `${base}/developers/api-log` }],
    children: (
      <>
        <Card>
          <KeyValue
            rows={[
              [developers.status, String(found.status)],
              [developers.time, <Time time={found.startTime} style="second" />],
              [developers.duration, `${found.ms} ms`],
              [developers.requestId, <CopyText text={found.requestId} label={developers.requestId} />],
              [developers.by, <bdi>{found.keyId ?? found.personId ?? '–'}</bdi>],
              idempotencyKey === null
                ? undefined
                : [
                    developers.idempotency,
                    <>
                      <code>{shortText(idempotencyKey, NAME_SHOWN)}</code>
                      {` · ${found.isReplayed ? developers.replayed : developers.notReplayed}`}
                    </>,
                  ],
              paymentId === null
                ? undefined
                : [developers.payment, <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>],
              customerId === undefined
                ? undefined
                : [
                    developers.customer,
                    <a href={`${base}/customers/${encodeURIComponent(customerId)}`}>
                      <bdi>{shortText(customerId, NAME_SHOWN)}</bdi>
                    </a>,
                  ],
            ]}
          />
          <CopyText text={curlOf(ctx.config.publicUrl, found)} label={developers.curl} />
        </Card>
        <Body title={developers.query} text={found.query} />
        <Body title={developers.request} text={found.requestBody} />
        <Body title={developers.answer} text={found.answerBody} />
      </>
    ),
  })
}

/** The customer whom the path names. */
function customerOf({ route, path }: ApiCall): string | undefined {
  const id = /\/customers\/([^/]+)/.exec(path)?.[1]
  if (!route.includes('/customers/{customerId}') || id === undefined) return undefined
  try {
    return decodeURIComponent(id)
  } catch {
    return undefined
  }
}

type FoundCall = Awaited<ReturnType<typeof getApiCall>>

/** Bodies are masked, so the command needs its secrets and personal data filled in. */
function curlOf(publicUrl: string, { method, path, requestBody }: FoundCall): string {
  const body = requestBody
    ? ` -H 'Content-Type: application/json' -d '${requestBody.replaceAll("'", "'\\''")}'`
    : ''
  return `curl -X ${method} '${publicUrl}${path}' -H "Authorization: Bearer $TENDER_KEY"${body}`
}

function Body({ title, text }: { readonly title: string; readonly text: string | null }) {
  const { developers } = useRequest().texts
  return (
    <Card title={title}>
      {text === null ? (
        <p class="muted">{developers.notKept}</p>
      ) : (
        <JsonView value={parsed(text)} label={title} />
      )}
    </Card>
  )
}

/** A body that was cut is no JSON; it is shown as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
