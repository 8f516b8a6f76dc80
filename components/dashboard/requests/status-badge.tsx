import { Badge, type Look } from '@/components/ui/badge';

const LOOKS: Readonly<Record<number, Look>> = {
  2: { tone: 'good', icon: 'check' },
  4: { tone: 'wait', icon: 'ban' },
  5: { tone: 'bad', icon: 'cross' },
};

/** The HTTP status of an answer. */
export function StatusBadge({ status }: { readonly status: number }) {
  return <Badge {...(LOOKS[Math.floor(status / 100)] ?? { tone: 'quiet', icon: 'question' })} text={String(status)} />;
}
