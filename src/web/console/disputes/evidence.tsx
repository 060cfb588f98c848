import type { DisputeDetails } from '../../../disputes/commands.ts'
import {
  EVIDENCE_FILES,
  EVIDENCE_TEXTS,
  type EvidenceFileKind,
  type EvidenceLimits,
  type EvidenceText,
  MEDIA_TYPES,
} from '../../../providers/disputes.ts'
import { numberText } from '../../kit/format/numbers.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { ActButton, Field } from '../../kit/html/controls.tsx'
import { Form, QuestionButton, TextArea } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { ProviderLink } from './words.tsx'

interface Props {
  readonly page: DisputeDetails
  readonly errors: FormErrors
}

/** The form of the evidence, what became of it, or the way to the provider. */
export function EvidenceCard({ page, errors }: Props) {
  const { texts, can } = useRequest()
  const { disputes } = texts
  const { dispute, answer, limits } = page
  const isDraft = answer === undefined || answer.state === 'draft'
  const canEdit = limits !== undefined && dispute.state === 'open' && isDraft
  return (
    <Card title={disputes.evidence}>
      {answer?.problem && (
        <Notice kind="bad" title={disputes.problems.title}>
          <p>
            {answer.problem === 'closed'
              ? disputes.problems.closed
              : disputes.problems.other({ code: answer.problem })}
          </p>
        </Notice>
      )}
      {canEdit && can('PaymentWrite') ? (
        <EvidenceForm page={page} limits={limits} errors={errors} />
      ) : (
        <Standing page={page} />
      )}
    </Card>
  )
}

/** Why there is no form. */
function Standing({ page: { dispute, answer, limits, files } }: Pick<Props, 'page'>) {
  const request = useRequest()
  const { disputes } = request.texts
  const text = () => {
    if (answer?.state === 'submitting' || answer?.state === 'accepting') return disputes.waiting
    if (answer?.state === 'submitted') return disputes.sentNote
    if (answer?.state === 'accepted') return disputes.acceptedNote
    if (dispute.state !== 'open') return disputes.decidedNote
    if (limits) return disputes.answers[answer?.state ?? 'none']
    return dispute.url ? disputes.onlyThere : disputes.onlyThereNoLink
  }
  return (
    <>
      <p>{text()}</p>
      {files.length > 0 && (
        <ul>
          {files.map(({ kind, size }) => (
            <li>{`${disputes.files[kind]} (${sizeText(request, size)})`}</li>
          ))}
        </ul>
      )}
      {dispute.state === 'open' && <ProviderLink url={dispute.url} />}
    </>
  )
}

/** `4.5 MB` */
function sizeText({ language }: Pick<AppRequest, 'language'>, bytes: number): string {
  const [unit, size] = bytes < 100_000 ? (['kB', 1_000] as const) : (['MB', 1_000_000] as const)
  return `${numberText({ language }, Math.max(1, Math.round((bytes / size) * 10)) / 10)} ${unit}`
}

interface FormProps extends Props {
  readonly limits: EvidenceLimits
}

function EvidenceForm({ page, limits, errors }: FormProps) {
  const request = useRequest()
  const { base, texts } = request
  const { disputes } = texts
  const path = `${base}/disputes/${encodeURIComponent(page.dispute.disputeId)}`
  const total = sizeText(request, limits.totalBytes)
  const rare = RARE.filter((name) => limits.texts[name] !== undefined)
  const fieldOf = (name: EvidenceText) => (
    <EvidenceTextField page={page} limits={limits} errors={errors} name={name} />
  )
  const hasDraft = Object.keys(page.texts).length > 0 || page.files.some(({ isSent }) => !isSent)
  return (
    <>
      <p class="muted">{disputes.evidenceIntro}</p>
      <Form action={path} hasFiles>
        {EVIDENCE_TEXTS.filter((name) => !RARE.includes(name)).map(fieldOf)}
        {rare.length > 0 && (
          <details
            open={rare.some((name) => page.texts[name] !== undefined || errors.of(name) !== undefined)}
          >
            <summary>{disputes.moreTexts}</summary>
            <div class="stack">{rare.map(fieldOf)}</div>
          </details>
        )}
        <p class="muted" id="file-limits">
          {disputes.limits({ file: sizeText(request, limits.fileBytes), total })}
        </p>
        {EVIDENCE_FILES.filter((kind) => limits.files.includes(kind)).map((kind) => (
          <FileField page={page} errors={errors} kind={kind} />
        ))}
        <div class="buttons">
          <ActButton act="save" text={disputes.save} />
        </div>
      </Form>
      {hasDraft && (
        <div class="buttons">
          <QuestionButton href={`${path}/submit`} kind="primary">
            {disputes.submit}
          </QuestionButton>
        </div>
      )}
    </>
  )
}

/** Texts that few disputes need. */
const RARE: readonly EvidenceText[] = [
  'customerName',
  'customerEmail',
  'accessLog',
  'refundPolicy',
  'refundRefusal',
  'duplicateExplanation',
]

/** Texts of one line. */
const SHORT: readonly EvidenceText[] = [
  'customerName',
  'customerEmail',
  'shippingCarrier',
  'trackingNumber',
  'shippingDate',
]

function EvidenceTextField({ page, limits, errors, name }: FormProps & { readonly name: EvidenceText }) {
  const { call, texts } = useRequest()
  const most = limits.texts[name]
  if (most === undefined) return null
  const field = {
    ...{ id: name, name, label: texts.disputes.texts[name], maxLength: most },
    value: call.form.get(name) ?? page.texts[name] ?? '',
    ...errors.for(name),
  }
  return SHORT.includes(name) ? (
    <Field {...field} />
  ) : (
    <TextArea {...field} rows={name === 'explanation' ? 5 : 2} />
  )
}

function FileField({ page, errors, kind }: Props & { readonly kind: EvidenceFileKind }) {
  const request = useRequest()
  const { disputes } = request.texts
  const stored = page.files.find((file) => file.kind === kind && !file.isSent)
  const error = errors.of(kind) && disputes.fileError
  const name = disputes.files[kind]
  return (
    <div class="field">
      <label for={`file-${kind}`}>{name}</label>
      <input
        id={`file-${kind}`}
        name={`file-${kind}`}
        type="file"
        accept={MEDIA_TYPES.join(',')}
        aria-describedby={`file-limits file-${kind}-error`}
        aria-invalid={error ? 'true' : undefined}
      />
      {stored && (
        <p class="hint file-now">
          {disputes.fileNow({ size: sizeText(request, stored.size) })}{' '}
          <ActButton act={`remove:${kind}`} text={disputes.removeFile({ name })} />
        </p>
      )}
      <p class="error" id={`file-${kind}-error`}>
        {error}
      </p>
    </div>
  )
}
