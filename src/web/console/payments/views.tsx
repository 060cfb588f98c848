import { cut, folded } from '../../../base/text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Form, PostButton } from '../../kit/html/forms.tsx'
import { Tabs } from '../../kit/html/text.tsx'
import { withQuery } from '../../kit/list.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { addressQuery, type ListAddress, listPath, postedAddress } from './address.ts'
import { listViews, removeView, type SavedView, saveView, type ViewOwner } from './views-store.ts'

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

/** Links to the saved views, and the form that saves the shown one. */
export function Views({ address, views }: { address: ListAddress; views: readonly SavedView[] }) {
  const { texts, base } = useRequest()
  const { payments } = texts
  const query = addressQuery(address)
  const current = views.find((view) => view.query === query)
  const tabs = [
    { label: payments.allPayments, href: `${base}/payments`, isCurrent: query === '' },
    ...views.map((view) => ({
      label: <bdi>{view.name}</bdi>,
      href: `${base}/payments?${view.query}`,
      isCurrent: view.name === current?.name,
    })),
  ]
  return (
    <div class="views">
      <Tabs tabs={tabs} label={payments.views} />
      {current && (
        <PostButton action={`${base}/payments/views/remove`} hidden={{ name: current.name }}>
          {payments.removeView}
        </PostButton>
      )}
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
