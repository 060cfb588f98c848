import type { ComponentChildren } from 'preact'
import type { ApiError } from '../../base/errors.ts'
import type { Permission } from '../../people/access/roles.ts'
import type { AppRule, SessionRule } from '../../people/access/rule.ts'
import type { AppRequest, PersonRequest } from './frame/request.ts'
import { type Crumb, renderScreen } from './frame/shell.tsx'
import { Question } from './html/forms.tsx'
import { Notice } from './html/layout.tsx'
import { errorsByField, type FormErrors, retryForm } from './refusal.ts'
import { type PageAnswer, seeOther } from './request/answer.ts'
import { app, CONSOLE, person, type ScreenRoute } from './route.ts'
import type { ConsoleTexts } from './texts/texts.ts'

/** The texts of a question. `body` is one paragraph or several. */
export interface QuestionTexts {
  readonly title: string
  readonly body?: string | readonly string[]
  readonly button: string
  /** For script, such as the amount that the button follows. */
  readonly buttonData?: Readonly<Record<`data-${string}`, string>>
  /** Instead of "Cancel", where that would be taken for the action. */
  readonly back?: string
}

/** A change after a question: the page that asks (GET) and the form that does it (POST). */
interface QuestionSpec<R extends PersonRequest, Subject> {
  readonly kind?: 'primary' | 'danger'
  /** What is acted on. Throws 404 if there is none. */
  readonly subject?: (request: R) => Subject | Promise<Subject>
  readonly texts: (texts: ConsoleTexts, subject: Subject, request: R) => QuestionTexts
  /**
   * The page to come back to, relative like the path, or an address that begins with `/console`; the path
   * without its last part by default.
   */
  readonly back?: string
  /** Pages above; the title of the screen, leading to `back`, by default. */
  readonly crumbs?: (request: R, subject: Subject) => readonly Crumb[]
  /** Whether it can be asked now; otherwise the page to come back to is shown. */
  readonly isPossible?: (subject: Subject, request: R) => boolean
  /** The note that tells why, where it cannot be asked. */
  readonly impossible?: string
  /** Why it cannot be done now: shown instead of the fields, and the button is off. */
  readonly obstacle?: (request: R, subject: Subject) => string | undefined
  /** Fields of the form, below the text. */
  readonly fields?: (
    request: R,
    subject: Subject,
    errors: FormErrors,
  ) => ComponentChildren | Promise<ComponentChildren>
  /** The sentence of a refusal, inside the form; the message of the refusal above it by default. */
  readonly refusal?: (request: R, problem: ApiError) => string
  /** Does it. A text is the note that `back` then shows, with its values: `cleared&count=3`. */
  readonly run: (request: R, subject: Subject) => Promise<PageAnswer | string>
  /** What is acted on after a refusal, where that may have changed it; as it was by default. */
  readonly again?: (request: R) => Promise<Subject>
  /** The screen that the page belongs to, where it is not the first part of the path. */
  readonly screen?: keyof ConsoleTexts
  /** The size of a form of more than 16 KiB. */
  readonly formBytes?: number
}

/** Both routes of a question of an app. The path is relative to `/console/{appId}`. */
export function question<Subject>(
  path: string,
  rule: Permission | AppRule,
  spec: QuestionSpec<AppRequest, Subject>,
): ScreenRoute[] {
  const { show, post } = handlersOf(path, spec, ({ base }) => base)
  const { formBytes } = spec
  return [
    app('GET', path, rule, show),
    app('POST', path, rule, post, formBytes === undefined ? undefined : { formBytes }),
  ]
}

/** Both routes of a question for every person with a session. The path is relative to `/console`. */
export function personQuestion<Subject>(
  path: string,
  rule: SessionRule,
  spec: QuestionSpec<PersonRequest, Subject>,
): ScreenRoute[] {
  const { show, post } = handlersOf(path, spec, () => CONSOLE)
  return [person('GET', path, show, rule), person('POST', path, post, rule)]
}

function handlersOf<R extends PersonRequest, Subject>(
  path: string,
  spec: QuestionSpec<R, Subject>,
  rootOf: (request: R) => string,
) {
  const screen = spec.screen ?? (path.split('/')[1] as keyof ConsoleTexts)
  const back = spec.back ?? path.replace(/\/[^/]*$/, '')
  const address = (request: R, to: string): string => placed(request, rootOf(request), to)
  const subjectOf = async (request: R) => (await spec.subject?.(request)) as Subject

  async function render(request: R, subject: Subject, problem?: ApiError): Promise<PageAnswer> {
    const errors = errorsByField(problem)
    const { title, body = [], button, ...texts } = spec.texts(request.texts, subject, request)
    const home = address(request, back)
    const obstacle = spec.obstacle?.(request, subject)
    const fields = obstacle ? undefined : await spec.fields?.(request, subject, errors)
    return renderScreen(request, {
      name: screen,
      title,
      crumbs: spec.crumbs?.(request, subject) ?? [{ label: titleOf(request, screen), href: home }],
      // The errors of fields stand beside them.
      problem: spec.refusal || (errors.size > 0 && spec.fields) ? undefined : problem,
      status: errors.status,
      children: (
        <Question
          action={address(request, path)}
          button={button}
          buttonData={texts.buttonData}
          kind={spec.kind ?? 'primary'}
          back={home}
          backLabel={texts.back}
          obstacle={obstacle}
        >
          {problem && spec.refusal && <Notice kind="bad" title={spec.refusal(request, problem)} />}
          <Paragraphs of={[body].flat()} />
          {fields}
        </Question>
      ),
    })
  }

  return {
    async show(request: R): Promise<PageAnswer> {
      const subject = await subjectOf(request)
      const note = spec.impossible ? `?note=${spec.impossible}` : ''
      if (spec.isPossible?.(subject, request) === false) return seeOther(address(request, back) + note)
      return render(request, subject)
    },
    async post(request: R): Promise<PageAnswer> {
      const subject = await subjectOf(request)
      return retryForm(
        async () => {
          const done = await spec.run(request, subject)
          return typeof done === 'string' ? seeOther(`${address(request, back)}?note=${done}`) : done
        },
        async (problem) => render(request, (await spec.again?.(request)) ?? subject, problem),
      )
    },
  }
}

const Paragraphs = ({ of }: { readonly of: readonly string[] }) => (
  <>
    {of.map((text) => (
      <p>{text}</p>
    ))}
  </>
)

const titleOf = ({ texts }: PersonRequest, screen: keyof ConsoleTexts): string =>
  (texts[screen] as { title: string }).title

const placed = (request: PersonRequest, root: string, to: string): string =>
  (to.startsWith(CONSOLE) ? '' : root) + filled(to, request)

/** The path with the parameters of the request. */
const filled = (path: string, { call }: PersonRequest): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(call.params[name] ?? ''))
