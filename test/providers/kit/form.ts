/** Members of a form, with objects and lists: `a[b]=1`, `list[]=x`, `list[0][c]=y`. Values stay texts. */
type FormValue = string | FormValue[] | { [name: string]: FormValue }

type Members = { [name: string]: FormValue }

export function parseBrackets(text: string): Members {
  const root: Members = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[')
    put(root, [first, ...rest.map((part) => part.replace(/\]$/, ''))], value)
  }
  return listed(root) as Members
}

function put(target: Members, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(target).length) : name
  const before = target[key]
  if (rest.length > 0) {
    const next = typeof before === 'object' && !Array.isArray(before) ? before : {}
    target[key] = next
    put(next, rest, value)
  } else if (before === undefined) target[key] = value
  // The same name again makes a list.
  else target[key] = [...(Array.isArray(before) ? before : [before]), value]
}

/** Objects whose names count from 0 are lists. */
function listed(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const names = Object.keys(value)
  const parts = names.map((name) => listed(value[name] ?? ''))
  if (names.length > 0 && names.every((name, place) => name === String(place))) return parts
  return Object.fromEntries(names.map((name, place) => [name, parts[place] ?? '']))
}
