import type { Look } from '@/components/ui/badge';
import type { TimelineEntry } from '@/lib/bills/page/timeline';
import type { AttemptState } from '@/lib/payments/state';
import { BILL_LOOKS } from '../bill-looks';

const ATTEMPT_LOOKS: Readonly<Record<AttemptState, Look>> = {
  QUEUED: { tone: 'busy', icon: 'phone' },
  SENDING: { tone: 'busy', icon: 'phone' },
  AWAITING_CUSTOMER: { tone: 'busy', icon: 'phone' },
  UNKNOWN: { tone: 'wait', icon: 'question' },
  SUCCEEDED: { tone: 'good', icon: 'check' },
  FAILED: { tone: 'bad', icon: 'cross' },
  EXPIRED: { tone: 'wait', icon: 'clock' },
  CANCELLED: { tone: 'quiet', icon: 'cross' },
};

const LOOKS: Readonly<Record<Exclude<TimelineEntry['kind'], 'prompt' | 'moved' | 'payment' | 'status' | 'webhook'>, Look>> = {
  created: { tone: 'quiet', icon: 'document' },
  message: { tone: 'quiet', icon: 'list' },
  rerouted: { tone: 'wait', icon: 'retry' },
  released: { tone: 'wait', icon: 'pause' },
  reversalAsked: { tone: 'wait', icon: 'clock' },
  reversalFailed: { tone: 'bad', icon: 'cross' },
  unmatched: { tone: 'wait', icon: 'question' },
  conflict: { tone: 'wait', icon: 'question' },
  contradicted: { tone: 'wait', icon: 'question' },
  corrected: { tone: 'quiet', icon: 'sliders' },
  note: { tone: 'quiet', icon: 'person' },
  infoChanged: { tone: 'quiet', icon: 'document' },
  closed: { tone: 'quiet', icon: 'lock' },
  expired: { tone: 'quiet', icon: 'clock' },
  reopened: { tone: 'quiet', icon: 'retry' },
  other: { tone: 'quiet', icon: 'circle' },
};

/** Returns the icon and colour of an entry of the history. Different outcomes have different icons. */
export function entryLook(entry: TimelineEntry): Look {
  switch (entry.kind) {
    case 'prompt':
      return ATTEMPT_LOOKS[entry.prompt.state];
    case 'moved':
      return ATTEMPT_LOOKS[entry.state];
    case 'payment':
      return entry.payment.amount < 0n ? { tone: 'wait', icon: 'coin' } : { tone: 'good', icon: 'coin' };
    case 'status':
      return BILL_LOOKS[entry.status];
    case 'webhook':
      return { tone: entry.delivery.state === 'EXHAUSTED' ? 'bad' : 'quiet', icon: 'send' };
    default:
      return LOOKS[entry.kind];
  }
}
