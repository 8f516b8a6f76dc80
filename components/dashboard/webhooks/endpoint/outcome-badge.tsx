import { Badge, type Tone } from '@/components/ui/badge';
import type { IconName } from '@/components/ui/icon';
import type { CheckedStep } from './check-line';

const LOOKS: Readonly<Record<CheckedStep['outcome'], { readonly tone: Tone; readonly icon: IconName }>> = {
  passed: { tone: 'good', icon: 'check' },
  warning: { tone: 'wait', icon: 'warning' },
  failed: { tone: 'bad', icon: 'cross' },
  skipped: { tone: 'quiet', icon: 'clock' },
};

/** A badge with the outcome of a step. */
export function OutcomeBadge({ outcome, text }: { readonly outcome: CheckedStep['outcome']; readonly text: string }) {
  return <Badge {...LOOKS[outcome]} text={text} />;
}
