import { menuOf } from '../../kit/frame/menu.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { person, type ScreenRoute } from '../../kit/route.ts'
import { usePersonRequest } from '../../kit/screen.tsx'

export const shortcutScreens = (): ScreenRoute[] => [person('GET', '/shortcuts', show)]

/** Every shortcut. Script opens this page as a dialog. */
function show(request: PersonRequest): PageAnswer {
  const { shortcuts } = request.texts.tools
  return renderScreen(request, {
    name: 'shortcuts',
    title: shortcuts.title,
    children: <Help />,
  })
}

type Shortcut = readonly [keys: readonly string[], description: string]

type Group = readonly [title: string, rows: readonly Shortcut[]]

function groupsOf(request: PersonRequest): readonly Group[] {
  const { texts } = request
  const { shortcuts } = texts.tools
  return [
    [
      shortcuts.everywhere,
      [
        [['⌘ K', 'Ctrl K'], shortcuts.palette],
        [['/'], shortcuts.search],
        [['.'], shortcuts.dock],
        [['?'], shortcuts.help],
      ],
    ],
    [
      shortcuts.lists,
      [
        [['j'], shortcuts.down],
        [['k'], shortcuts.up],
        [['Enter'], shortcuts.openRow],
        [['x'], shortcuts.select],
        [['e'], shortcuts.export],
      ],
    ],
    [
      shortcuts.onPayment,
      [
        [['r'], shortcuts.refund],
        [['c'], shortcuts.capture],
        [['a'], shortcuts.release],
      ],
    ],
    [
      texts.reviews.title,
      [
        [['a'], shortcuts.release],
        [['r'], shortcuts.reject],
        [['b'], shortcuts.rejectAndBlock],
      ],
    ],
    [shortcuts.goTo, menuOf(request).map(({ name, key }): Shortcut => [[`g ${key}`], texts[name].title])],
  ]
}

function Help() {
  const request = usePersonRequest()
  const { texts } = request
  const { shortcuts } = texts.tools
  return (
    <section class="card" data-dialog-body="yes">
      <div class="shortcuts">
        {groupsOf(request).map(([title, rows]) => (
          <div>
            <h2>{title}</h2>
            <dl class="facts">
              {rows.map(([keys, description]) => (
                <div>
                  <dt>{description}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
      <p class="muted small">{shortcuts.off}</p>
      <div class="buttons">
        <a class="button quiet" href="/console/profile" data-dialog-close="yes">
          {texts.frame.close}
        </a>
      </div>
    </section>
  )
}
