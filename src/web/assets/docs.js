// "Try it" forms of the API reference: each form sends its request to this service and shows the response.
// Buttons that copy, and results while the search is typed.

const credentials = document.querySelector('#credentials')
const search = document.querySelector('#search')
const found = document.querySelector('#found')

if (credentials) {
  for (const element of document.querySelectorAll('#credentials, .try')) element.hidden = false
  // Only this script reads the forms; the browser never submits them.
  document.addEventListener('submit', (event) => {
    if (event.target === search) return
    event.preventDefault()
    if (event.target !== credentials) send(event.target)
  })
}

// The language that is chosen for one sample is shown for all.
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs input')) return
  const same = `.tabs input[data-language="${target.dataset.language}"]`
  for (const input of document.querySelectorAll(same)) input.checked = true
})

for (const block of document.querySelectorAll('.code')) addCopyButton(block)

let searches = 0

search.elements.q.addEventListener('input', async () => {
  const query = search.elements.q.value.trim()
  const number = ++searches
  // Waits for the next letters; only the last search is shown.
  await new Promise((resolve) => setTimeout(resolve, 120))
  if (number !== searches) return
  if (!query) {
    found.hidden = true
    return
  }
  const response = await fetch(`/docs/search?part=results&q=${encodeURIComponent(query)}`).catch(
    () => undefined,
  )
  const html = response?.ok ? await response.text() : undefined
  if (number !== searches || html === undefined) return
  // The service has escaped all texts.
  found.innerHTML = html
  found.hidden = false
})

document.addEventListener('keydown', (event) => {
  // The first Escape closes the results, the next one clears the field.
  if (event.key === 'Escape' && !found.hidden) {
    event.preventDefault()
    found.hidden = true
    search.elements.q.focus()
  }
  const isTyping = event.target.closest('input:not([type="radio"]), textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  search.elements.q.select()
})

document.addEventListener('click', ({ target }) => {
  if (!target.closest('.search') || target.closest('.found a')) found.hidden = true
})
document.addEventListener('focusin', ({ target }) => {
  if (!target.closest('.search')) found.hidden = true
})

function addCopyButton(block) {
  if (!navigator.clipboard) return
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' })
  button.className = 'copy'
  button.setAttribute('aria-label', `Copy: ${block.getAttribute('aria-label')}`)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  block.previousElementSibling.append(button)
}

async function send(form) {
  const output = form.querySelector('output')
  const button = form.querySelector('button')
  button.disabled = true
  output.replaceChildren(line('Sending…'))
  try {
    const request = requestOf(form)
    const startedMs = performance.now()
    const response = await fetch(request.url, request.init)
    const text = await response.text()
    show(output, response, text, Math.round(performance.now() - startedMs))
    remember(text)
  } catch (error) {
    output.replaceChildren(line(error.message, 'bad'))
  } finally {
    button.disabled = false
  }
}

function requestOf(form) {
  const fields = new FormData(form)
  const typed = (name) => String(fields.get(name) ?? '').trim()
  const { method, path, auth } = form.dataset
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => {
    const value = name === 'appId' ? credentials.elements.appId.value.trim() : typed(`path.${name}`)
    if (!value)
      throw new Error(name === 'appId' ? 'Type the App ID at the top of this page.' : `Type ${name}.`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of fields)
    if (name.startsWith('query.') && value !== '') query.set(name.slice('query.'.length), value)
  const headers = {}
  const token = credentials.elements.token.value.trim()
  if (auth && token) headers.authorization = `Bearer ${token}`
  const body = typed('body')
  if (body) headers['content-type'] = 'application/json'
  const init = { method, headers, ...(body ? { body } : {}), cache: 'no-store', credentials: 'omit' }
  return { url: query.size > 0 ? `${filled}?${query}` : filled, init }
}

function show(output, response, text, ms) {
  const kind = response.ok ? 'ok' : 'bad'
  const headers = document.createElement('details')
  const summary = Object.assign(document.createElement('summary'), { textContent: 'Headers' })
  headers.append(summary, block([...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')))
  const status = line(`${response.status} ${response.statusText} in ${ms} ms`, kind)
  output.replaceChildren(status, headers, ...(text ? [block(pretty(text))] : []))
}

function line(text, kind = '') {
  return Object.assign(document.createElement('p'), { textContent: text, className: kind })
}

function block(text) {
  return Object.assign(document.createElement('pre'), { textContent: text, tabIndex: 0 })
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Copies ids of a response into empty fields of the other forms. */
function remember(text) {
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return
  }
  for (const name of ['paymentId', 'referenceId', 'customerId', 'paymentProfileId', 'keyId'])
    for (const field of document.getElementsByName(`path.${name}`)) field.value ||= answer?.[name] ?? ''
}
