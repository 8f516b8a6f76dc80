import { Badge, type Look } from '@/components/ui/badge';

const LOOKS: Readonly<Record<CheckedStep['outcome'], Look>> = {
  passed: { tone: 'good', icon: 'check' },
  warning: { tone: 'wait', icon: 'warning' },
  failed: { tone: 'bad', icon: 'cross' },
  skipped: { tone: 'quiet', icon: 'clock' },
};

export function OutcomeBadge({ outcome, text }: { readonly outcome: CheckedStep['outcome']; readonly text: string }) {
  return <Badge {...LOOKS[outcome]} text={text} />;
}

export interface CheckedStep {
  readonly step: string;
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped';
  readonly tried: string;
  readonly text: string;
}

/** One line of the streamed answer of a check: the steps so far, the final result, or a refusal. */
export type CheckLine =
  | { readonly kind: 'steps' | 'over'; readonly steps: readonly CheckedStep[] }
  | { readonly kind: 'refused'; readonly text: string };
