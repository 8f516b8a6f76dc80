import type { Look } from '@/components/ui/badge';
import type { CounterState } from '@/lib/counter/counter-rules';
import type { KeptState } from './use-outbox';

export const COUNTER_LOOKS: Readonly<Record<CounterState, Look>> = {
  open: { tone: 'quiet', icon: 'circle' },
  waiting: { tone: 'busy', icon: 'phone' },
  unknown: { tone: 'wait', icon: 'question' },
  declined: { tone: 'bad', icon: 'cross' },
  part: { tone: 'wait', icon: 'half' },
  paid: { tone: 'good', icon: 'check' },
  overpaid: { tone: 'wait', icon: 'warning' },
  closed: { tone: 'quiet', icon: 'lock' },
};

export const KEPT_LOOKS: Readonly<Record<KeptState, Look>> = {
  kept: { tone: 'wait', icon: 'offline' },
  sending: { tone: 'busy', icon: 'send' },
  checking: { tone: 'wait', icon: 'question' },
  stale: { tone: 'wait', icon: 'hourglass' },
  signed_out: { tone: 'wait', icon: 'lock' },
};
