import { Button } from '@/components/ui/button';
import { HiddenFields } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import { Notice } from '@/components/ui/notice';
import type { ActivationView } from './present-steps';
import { StepList } from './step-list';

interface ActivationCardProps extends ActivationView {
  /** The action by which the merchant asks the operator to activate live payments. */
  readonly requestAction: (form: FormData) => Promise<void>;
}

/** What is missing before live payments, and the request to the operator. */
export function ActivationCard({ title, text, steps, requested, request, place, requestAction }: ActivationCardProps) {
  return (
    <Card id="activation" title={title}>
      <p className="mb-3 max-w-prose text-muted">{text}</p>
      <StepList steps={steps} />
      {requested && <Notice tone="good" title={requested} role="status" />}
      {request && (
        <form action={requestAction} className="mt-3">
          <HiddenFields values={place} />
          <Button>{request}</Button>
        </form>
      )}
    </Card>
  );
}
