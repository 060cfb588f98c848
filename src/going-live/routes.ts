import Type from 'typebox'
import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { Instant } from '../http/wire.ts'
import { appRoute } from '../merchants/app-route.ts'
import { GOING_LIVE_ITEMS, goingLive, MISSING_PARTS } from './going-live.ts'

const GoingLiveAnswer = Type.Object(
  {
    isComplete: Type.Boolean(),
    items: Type.Array(
      Type.Object({
        item: Type.Enum([...GOING_LIVE_ITEMS]),
        isDone: Type.Boolean(),
        missing: Type.Array(Type.Enum([...MISSING_PARTS]), {
          description: 'Of an item with several parts: those that are open.',
        }),
        time: Type.Union([Instant, Type.Null()], {
          description: 'When it was last seen, where that is known.',
        }),
      }),
    ),
  },
  { title: 'GoingLive' },
)

export const goingLiveRoutes = (ctx: Context): Route[] => [
  appRoute({
    method: 'GET',
    path: '/going-live',
    summary: 'What the app has and lacks for real customers',
    description:
      'Each item follows from what the service knows and cannot be set. Open items block nothing. Of ' +
      'interest for live apps: a sandbox app is judged by the same rules.',
    tag: 'App',
    status: 200,
    response: GoingLiveAnswer,
    handler: async (app) => {
      const items = await goingLive(ctx, app)
      return {
        isComplete: items.every(({ isDone }) => isDone),
        items: items.map((one) => ({ ...one, time: one.time?.toISOString() ?? null })),
      }
    },
  }),
]
