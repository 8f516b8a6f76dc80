'use client';

import { usePolling } from '@/components/dashboard/live-refresh';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Fold } from '@/components/ui/fold';
import { ActionForm } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import { Illustration } from '@/components/ui/illustration';
import { Card } from '@/components/ui/layout';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/list';
import { Notice } from '@/components/ui/notice';
import type { PlainAction } from '@/lib/entry/server/form-action';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { Figures } from './figures';
import type { ActivationView, AttentionView, GuideView, OverviewView, StepView } from './present-overview';

const REFRESH_MS = 30 * SECOND_MS;

interface LiveOverviewProps {
  readonly first: OverviewView;
  readonly address: string;
  readonly hideAction: PlainAction;
  readonly requestAction: PlainAction;
}

/** The overview. It refreshes itself every 30 seconds while the page is visible. */
export function LiveOverview({ first, address, hideAction, requestAction }: LiveOverviewProps) {
  const { data = first, error } = usePolling(address, { first, everyMs: REFRESH_MS, immediately: false });
  // True until the first bill exists, unless something needs attention. If true, the guide with the first steps is at the top. If false,
  // the guide is folded and at the end.
  const begins = data.figures === null && (data.attention?.items.length ?? 0) === 0;
  const guide = data.guide && <Guide {...data.guide} folded={!begins} hideAction={hideAction} />;
  const updated = error ? data.notUpdated : data.updated;
  return (
    <>
      {data.activation && <ActivationCard {...data.activation} requestAction={requestAction} />}
      {begins && guide}
      {data.attention ? (
        <AttentionCard {...data.attention} updated={updated} late={error !== undefined} />
      ) : (
        <p className="text-small text-muted">{updated}</p>
      )}
      {data.figures && <Figures {...data.figures} />}
      {!begins && guide}
    </>
  );
}

const TONES = {
  bad: { look: 'border-danger bg-danger-soft text-danger', icon: 'warning' },
  wait: { look: 'border-amber bg-amber-soft text-amber-ink', icon: 'clock' },
} as const;

interface AttentionCardProps extends AttentionView {
  /** When the page was updated. On a phone this time is shown only if it is too long ago, or if there are items. */
  readonly updated: string;
  readonly late: boolean;
}

/** The items that need attention with links to fix them, or a line that there are none. */
function AttentionCard({ title: heading, calm, items, updated, late }: AttentionCardProps) {
  if (items.length === 0) {
    return (
      <section aria-label={heading} className="flex gap-2 sm:rounded-xl sm:border sm:border-line sm:bg-surface sm:px-4 sm:py-3">
        <Icon name="check" className="mt-0.5 size-5 text-good" />
        <p>
          <span className="font-semibold">{calm.title}</span> <span className="hidden text-muted sm:inline">{calm.text}</span>
        </p>
        <p className={`ml-auto self-center text-small text-muted ${late ? '' : 'hidden sm:block'}`}>{updated}</p>
      </section>
    );
  }
  return (
    <Card id="attention" title={heading} action={<span className="text-small text-muted">{updated}</span>}>
      <ul className="grid gap-4">
        {items.map(({ kind, tone, severity, title, text, links }) => (
          <li
            key={kind}
            data-kind={kind}
            className="grid gap-3 border-t border-line pt-4 first:border-0 first:pt-0 md:grid-cols-[1fr_auto]"
          >
            <div className="flex min-w-0 gap-3">
              <span className={`grid size-9 shrink-0 place-items-center rounded-full border ${TONES[tone].look}`}>
                <Icon name={TONES[tone].icon} className="size-5" />
              </span>
              <div className="min-w-0 wrap-anywhere">
                <p className="font-semibold">
                  <span className="sr-only">{severity}: </span>
                  {title}
                </p>
                <p className="max-w-prose text-muted">{text}</p>
              </div>
            </div>
            {links.length > 0 && (
              <ul className="flex flex-wrap content-start gap-2 pl-12 md:max-w-72 md:justify-end md:pl-0">
                {links.map(({ href, text: label }) => (
                  <li key={href} className="min-w-0">
                    <ButtonLink href={href} className="wrap-anywhere">
                      {label}
                    </ButtonLink>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface GuideProps extends GuideView {
  /** True if only the title and the progress are shown until somebody opens the guide. */
  readonly folded: boolean;
  /** The action that dismisses the steps for this member. */
  readonly hideAction: PlainAction;
}

/** The first steps, and the test numbers of the sandbox. */
function Guide({ folded, title, progress, ...content }: GuideProps) {
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

function GuideContent({ shop, server, numbers, hide, hideAction }: Omit<GuideProps, 'folded' | 'title' | 'progress'>) {
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
      <ActionForm action={hideAction} className="mt-3">
        <Button look="plain">{hide}</Button>
      </ActionForm>
    </>
  );
}

/** Steps to take, with completed ones ticked off. */
function StepList({ steps }: { readonly steps: readonly StepView[] }) {
  return (
    <ol className="grid">
      {steps.map(({ step, done, state, title, text, link }) => (
        <li key={step} data-step={step} className="border-t border-line py-3 first:border-0 first:pt-0">
          <div className="flex items-start justify-between gap-2">
            <h3 className={done ? 'text-muted' : 'font-semibold'}>{title}</h3>
            <span className="shrink-0">
              <Badge tone={done ? 'good' : 'quiet'} icon={done ? 'check' : 'circle'} text={state} />
            </span>
          </div>
          {!done && <p className="max-w-prose text-muted">{text}</p>}
          {link && (
            <TextLink href={link.href} className="inline-flex min-h-control items-center">
              {link.text}
            </TextLink>
          )}
        </li>
      ))}
    </ol>
  );
}

interface ActivationCardProps extends ActivationView {
  /** The action by which the merchant asks the operator to activate live payments. */
  readonly requestAction: PlainAction;
}

/** What is missing before live payments, and the request to the operator. */
function ActivationCard({ title, progress, text, steps, requested, request, requestAction }: ActivationCardProps) {
  return (
    <Card id="activation" title={title} action={<span className="text-small text-muted">{progress}</span>}>
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <p className="mb-3 max-w-prose text-muted">{text}</p>
          <StepList steps={steps} />
        </div>
        <Illustration name="activation" className="hidden shrink-0 text-brand sm:block" />
      </div>
      {requested && <Notice tone="good" title={requested} role="status" />}
      {request && (
        <ActionForm action={requestAction} className="mt-3">
          <Button>{request}</Button>
        </ActionForm>
      )}
    </Card>
  );
}

interface TextTableProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of texts. The first cell of each row is its header. */
function TextTable({ title, columns, rows }: TextTableProps) {
  return (
    <Table caption={title} columns={columns}>
      {rows.map((cells) => (
        <Row key={cells[0]}>
          {cells.map((cell, index) => (
            <Cell key={columns[index]} label={columns[index] ?? ''}>
              {index === 0 ? <strong>{cell}</strong> : cell}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
