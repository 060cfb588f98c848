import type { AppRequest } from '../../kit/frame/request.ts'
import type { TabLink } from '../../kit/html/text.tsx'

/** Links for one payer and for many: their lists, or with `path` their forms. */
export const linkTabs = (
  { base, texts }: AppRequest,
  current: 'one' | 'many',
  path: '' | '/new' = '',
): TabLink[] => [
  { label: texts.reusable.one, href: `${base}/links${path}`, isCurrent: current === 'one' },
  { label: texts.reusable.many, href: `${base}/links/reusable${path}`, isCurrent: current === 'many' },
]
