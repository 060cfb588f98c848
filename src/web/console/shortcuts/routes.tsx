import type { Route } from '../../../http/route.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { menuOf } from '../frame/menu.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'

export const shortcutScreens = (screens: Screens): Route[] => [screens.person('GET', '/shortcuts', show)]

/** Every shortcut. Script opens this page as a dialog. */
function show(visit: Visit): PageAnswer {
  const { shortcuts } = visit.texts.tools
  return drawScreen(visit, {
    name: 'shortcuts',
    title: shortcuts.title,
    children: <Help visit={visit} />,
  })
}

type Shortcut = readonly [keys: readonly string[], says: string]

type Group = readonly [title: string, rows: readonly Shortcut[]]

function groupsOf(visit: Visit): readonly Group[] {
  const { texts } = visit
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
    [shortcuts.goTo, menuOf(visit).map(({ name, key }): Shortcut => [[`g ${key}`], texts[name].title])],
  ]
}

function Help({ visit }: { readonly visit: Visit }) {
  const { texts } = visit
  const { shortcuts } = texts.tools
  return (
    <section class="card" data-dialog-body="yes">
      <div class="shortcuts">
        {groupsOf(visit).map(([title, rows]) => (
          <div>
            <h2>{title}</h2>
            <dl class="facts">
              {rows.map(([keys, says]) => (
                <div>
                  <dt>{says}</dt>
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
