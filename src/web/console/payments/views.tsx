import { cut, folded } from '../../../base/text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Form, PostButton } from '../../kit/html/forms.tsx'
import { withQuery } from '../../kit/list.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { addressQuery, type ListAddress, listPath, postedAddress } from './address.ts'
import { listViews, removeView, type SavedView, saveView, shareView, type ViewOwner } from './views-store.ts'

const NAME_LENGTH = 60

const ownerOf = ({ person, app }: AppRequest): ViewOwner => ({ personId: person.personId, appId: app.appId })

export const viewsOf = (request: AppRequest): Promise<SavedView[]> =>
  listViews(request.ctx.db, ownerOf(request))

export async function save(request: AppRequest): Promise<PageAnswer> {
  const { ctx, call, base, now } = request
  const address = postedAddress(call)
  const name = cut(folded(call.form.get('name') ?? ''), NAME_LENGTH)
  const back = (note: string) => seeOther(withQuery(listPath(base, address), { note }))
  if (name === '') return back('nameless')
  const isSaved = await saveView(ctx.db, ownerOf(request), { name, query: addressQuery(address) }, now)
  return back(isSaved ? 'saved' : 'full')
}

export async function remove(request: AppRequest): Promise<PageAnswer> {
  const { ctx, call, base } = request
  await removeView(ctx.db, ownerOf(request), (call.form.get('name') ?? '').slice(0, NAME_LENGTH))
  return seeOther(withQuery(`${base}/payments`, { note: 'removed' }))
}

/** Shows a view to the team, or to its owner only. Everyone who may share can also end it. */
export async function share(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  const name = (call.form.get('name') ?? '').slice(0, NAME_LENGTH)
  const personId = (call.form.get('owner') ?? '').slice(0, NAME_LENGTH)
  const isShared = call.form.get('shared') === 'yes'
  // Only the owner decides that others see it.
  const owner = isShared ? ownerOf(request) : { personId, appId: app.appId }
  await shareView(ctx.db, owner, { name, isShared })
  return seeOther(withQuery(listPath(base, postedAddress(call)), { note: isShared ? 'shared' : 'unshared' }))
}

interface ViewsProps {
  readonly address: ListAddress
  readonly views: readonly SavedView[]
}

/** Links to the saved views, and the form that saves the shown one. */
export function Views({ address, views }: ViewsProps) {
  const { texts, base, person } = useRequest()
  const { payments } = texts
  const query = addressQuery(address)
  const current = views.find((view) => view.query === query)
  const isOwn = (view: SavedView) => view.personId === person.personId
  return (
    <div class="views">
      {views.length > 0 && (
        <ul class="chips" aria-label={payments.views}>
          {views.map((view) => (
            <li>
              <a
                class="chip"
                href={`${base}/payments?${view.query}`}
                aria-current={view === current ? 'page' : undefined}
              >
                <bdi>{isOwn(view) ? view.name : payments.sharedBy({ name: view.name })}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      {current && <ViewActions view={current} query={query} isOwn={isOwn(current)} />}
      {query !== '' && !current && (
        <details class="save-view">
          <summary class="button quiet">{payments.saveView}</summary>
          <Form action={`${base}/payments/views`} hidden={{ query }} class="card save-view-form">
            <Field id="view-name" name="name" label={payments.viewName} maxLength={NAME_LENGTH} required />
            <div class="buttons">
              <Button>{payments.saveView}</Button>
            </div>
          </Form>
        </details>
      )}
    </div>
  )
}

interface ViewActionsProps {
  readonly view: SavedView
  readonly query: string
  readonly isOwn: boolean
}

function ViewActions({ view, query, isOwn }: ViewActionsProps) {
  const { texts, base, can } = useRequest()
  const { payments } = texts
  const { name, personId: owner, isShared } = view
  const shared = isShared ? 'no' : 'yes'
  return (
    <>
      {can('PaymentWrite') && (
        <PostButton action={`${base}/payments/views/share`} hidden={{ name, owner, shared, query }}>
          {isShared ? payments.unshareView : payments.shareView}
        </PostButton>
      )}
      {isOwn && (
        <PostButton action={`${base}/payments/views/remove`} hidden={{ name }}>
          {payments.removeView}
        </PostButton>
      )}
    </>
  )
}
