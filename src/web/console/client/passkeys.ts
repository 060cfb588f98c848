/**
 * A form with `data-passkey` is sent with the answer of an authenticator: the options come from the address
 * in `data-options`. The style sheet shows such forms only where the body is marked.
 */
export function addPasskeys(): void {
  if (!('PublicKeyCredential' in window) || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return
  document.body.dataset.passkeys = 'yes'
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.dataset.passkey) return
    event.preventDefault()
    answer(form).catch(() => showFailure(form))
  })
}

interface Asked {
  readonly options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON
  readonly state: string
}

async function answer(form: HTMLFormElement): Promise<void> {
  const reply = await fetch(form.dataset.options ?? '', { headers: { accept: 'application/json' } })
  // The session or the proof has ended: the page itself leads on.
  if (!reply.ok || !reply.headers.get('content-type')?.startsWith('application/json'))
    return location.reload()
  const { options, state } = (await reply.json()) as Asked
  const credential = (await askFor(form.dataset.passkey ?? '', options)) as PublicKeyCredential | null
  if (!credential) return showFailure(form)
  setField(form, 'state', state)
  setField(form, 'response', JSON.stringify(credential.toJSON()))
  form.submit()
}

const askFor = (kind: string, options: Asked['options']): Promise<Credential | null> =>
  kind === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.value = value
}

/** The person cancelled, or no authenticator answered. */
function showFailure(form: HTMLFormElement): void {
  const message = form.querySelector<HTMLElement>('[data-passkey-failed]')
  if (message) message.textContent = message.dataset.passkeyFailed ?? ''
}
