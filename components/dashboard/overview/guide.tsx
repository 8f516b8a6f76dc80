import { Button } from '@/components/ui/button';
import { Fold } from '@/components/ui/fold';
import { HiddenFields } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import type { GuideView } from './present-steps';
import { StepList } from './step-list';
import { TextTable } from './text-table';

interface GuideProps extends GuideView {
  /** True if only the title and the progress are shown until somebody opens the guide. */
  readonly folded: boolean;
  /** The action that dismisses the steps for this member. */
  readonly hideAction: (form: FormData) => Promise<void>;
}

/** The first steps, and the test numbers of the sandbox. */
export function Guide({ folded, title, progress, ...content }: GuideProps) {
  if (!folded) {
    return (
      <Card id="guide" title={title} action={<span className="text-small text-muted">{progress}</span>}>
        <GuideContent {...content} />
      </Card>
    );
  }
  return (
    <section aria-label={title}>
      <details className="group rounded-xl border border-line bg-surface">
        <summary className="flex min-h-control cursor-pointer list-none items-center gap-2 px-4 font-semibold">
          {title}
          <span className="text-small font-normal text-muted">{progress}</span>
          <Icon name="down" className="ml-auto size-4 group-open:rotate-180" />
        </summary>
        <div className="px-4 pt-2 pb-4">
          <GuideContent {...content} />
        </div>
      </details>
    </section>
  );
}

function GuideContent({ shop, server, numbers, hide, place, hideAction }: Omit<GuideProps, 'folded' | 'title' | 'progress'>) {
  return (
    <>
      <StepList steps={shop} />
      {server.steps.length > 0 && (
        <Fold title={server.title} open={server.open}>
          <StepList steps={server.steps} />
        </Fold>
      )}
      {numbers && (
        <Fold title={numbers.title}>
          <p className="mb-2 text-muted">{numbers.text}</p>
          <TextTable title={numbers.title} columns={numbers.columns} rows={numbers.rows} />
          {numbers.phones && (
            <p className="mt-2">
              <TextLink href={numbers.phones.href}>{numbers.phones.text}</TextLink>
            </p>
          )}
        </Fold>
      )}
      <form action={hideAction} className="mt-3">
        <HiddenFields values={place} />
        <Button look="plain">{hide}</Button>
      </form>
    </>
  );
}
