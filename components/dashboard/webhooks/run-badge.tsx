import { Badge } from '@/components/ui/badge';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { RedeliveryState } from '@/lib/webhooks/redelivery-rules';

const LOOKS = {
  RUNNING: { tone: 'wait', icon: 'retry' },
  COMPLETED: { tone: 'good', icon: 'check' },
  CANCELLED: { tone: 'quiet', icon: 'cross' },
} as const;

/** The state of a bulk redelivery. */
export function RunBadge({ state, locale }: { readonly state: RedeliveryState; readonly locale: Locale }) {
  return <Badge {...LOOKS[state]} text={translator(locale, 'Hooks')(`runState_${state}`)} />;
}
