import type { AppRequest } from '../../kit/frame/request.ts'
import type { TabLink } from '../../kit/html/text.tsx'

/** Policies and the block list beside them. */
export const fraudTabs = ({ base, texts }: AppRequest, current: 'policies' | 'blocks'): TabLink[] => [
  { label: texts.fraud.policies, href: `${base}/fraud`, isCurrent: current === 'policies' },
  { label: texts.blocks.title, href: `${base}/fraud/blocks`, isCurrent: current === 'blocks' },
]
