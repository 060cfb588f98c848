import {
  acceptDispute,
  type DisputeDetails,
  getDispute,
  removeFile,
  saveEvidence,
  saveFile,
  submitEvidence,
} from '../../../disputes/commands.ts'
import { DISPUTES } from '../../../disputes/limits.ts'
import { EVIDENCE_FILES, EVIDENCE_TEXTS } from '../../../providers/disputes.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { question } from '../../kit/question.tsx'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { showDisputes } from './list.tsx'
import { loadDispute, renderDispute } from './page.tsx'

export const disputesScreens = (): ScreenRoute[] => [
  app('GET', '/disputes', 'PaymentRead', showDisputes),
  app('GET', '/disputes/{disputeId}', 'PaymentRead', async (request) =>
    renderDispute(request, await loadDispute(request)),
  ),
  app('POST', '/disputes/{disputeId}', 'PaymentWrite', save, {
    formBytes: DISPUTES.formBytes,
    takesFiles: true,
  }),
  ...question('/disputes/{disputeId}/submit', 'PaymentWrite', {
    subject: detailsOf,
    isPossible: (details) => isUnsent(details),
    impossible: 'unavailable',
    texts: ({ disputes }, { texts, files }) => ({
      title: disputes.submitTitle,
      body: disputes.submitBody({
        texts: Object.keys(texts).length,
        files: files.filter(({ isSent }) => !isSent).length,
      }),
      button: disputes.submit,
    }),
    run: async ({ ctx, app: of }, details) => {
      await submitEvidence(ctx, of, details)
      return 'submit'
    },
  }),
  ...question('/disputes/{disputeId}/accept', proof('PaymentWrite'), {
    kind: 'danger',
    subject: detailsOf,
    isPossible: (details) => isUnsent(details),
    impossible: 'unavailable',
    texts: ({ disputes, frame }, { dispute }, { language }) => {
      const amount = moneyInText(language, dispute.amountMinor, dispute.currency)
      return {
        title: disputes.acceptTitle,
        body: [disputes.acceptBody({ amount }), frame.cannotUndo],
        button: disputes.acceptConfirm({ amount }),
      }
    },
    run: async ({ ctx, app: of }, details) => {
      await acceptDispute(ctx, of, details)
      return 'accept'
    },
  }),
]

const detailsOf = ({ ctx, app: of, call }: AppRequest): Promise<DisputeDetails> =>
  getDispute(ctx, of, call.params.disputeId ?? '')

const isUnsent = ({ dispute, answer, limits }: DisputeDetails): boolean =>
  limits !== undefined && dispute.state === 'open' && (answer === undefined || answer.state === 'draft')

/** Saves texts and files, or removes the file whose button was pressed. */
async function save(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app: of, call, base } = request
  const details = await detailsOf(request)
  const home = `${base}/disputes/${encodeURIComponent(details.dispute.disputeId)}`
  return retryForm(
    async () => {
      const removed = EVIDENCE_FILES.find((kind) => call.form.get('act') === `remove:${kind}`)
      if (removed) {
        await removeFile(ctx, of, details, removed)
        return seeOther(`${home}?note=removed`)
      }
      const texts = Object.fromEntries(EVIDENCE_TEXTS.map((name) => [name, call.form.get(name)]))
      await saveEvidence(ctx, of, details, texts)
      for (const kind of EVIDENCE_FILES) {
        const file = call.files.get(`file-${kind}`)
        if (file) await saveFile(ctx, of, details, { kind, bytes: file.bytes })
      }
      return seeOther(`${home}?note=saved`)
    },
    async (problem) => renderDispute(request, await loadDispute(request), errorsByField(problem, 'texts.')),
  )
}
