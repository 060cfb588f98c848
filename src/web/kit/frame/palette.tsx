import { usePersonRequest } from '../screen.tsx'

/** The dialog of the command palette, which script opens. Its lists are the menu, the page and the search. */
export function Palette() {
  const request = usePersonRequest()
  const { app, texts } = request
  const { palette } = texts.tools
  if (!app) return null
  const base = `/console/${app.appId}`
  const { recent, goTo, act, found, none } = palette
  return (
    <template
      id="palette"
      data-search={request.can('PaymentRead') ? `${base}/search` : undefined}
      data-texts={JSON.stringify({ recent, goTo, act, found, none })}
      data-kinds={JSON.stringify(palette.kinds)}
    >
      <dialog class="palette" aria-label={palette.title}>
        <input
          type="text"
          role="combobox"
          aria-label={palette.label}
          aria-autocomplete="list"
          aria-controls="palette-list"
          aria-expanded="true"
          autocomplete="off"
          spellcheck={false}
          maxlength={200}
          placeholder={palette.label}
        />
        <div class="palette-list" id="palette-list" role="listbox" aria-label={palette.title} />
        <p class="palette-none muted" role="status" />
      </dialog>
      {request.can('PaymentWrite') && (
        <a data-act="yes" href={`${base}/links/new`}>
          {palette.createLink}
        </a>
      )}
    </template>
  )
}
