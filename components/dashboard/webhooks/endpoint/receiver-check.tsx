'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Badge, type Look } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { type Option, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { StepJudgement } from '@/lib/backoffice/receiver-check/check-rules';
import type { describeStep } from '@/lib/backoffice/receiver-check/describe-check';
import type { FormAction } from '@/lib/entry/server/form-action';

const LOOKS: Readonly<Record<CheckedStep['outcome'], Look>> = {
  passed: { tone: 'good', icon: 'check' },
  warning: { tone: 'wait', icon: 'warning' },
  failed: { tone: 'bad', icon: 'cross' },
  skipped: { tone: 'quiet', icon: 'clock' },
};

export function OutcomeBadge({ outcome, text }: { readonly outcome: CheckedStep['outcome']; readonly text: string }) {
  return <Badge {...LOOKS[outcome]} text={text} />;
}

type CheckedStep = Pick<StepJudgement, 'step' | 'outcome'> & ReturnType<typeof describeStep>;

/** One line of the streamed answer of a check: the steps so far, the final result, or a refusal. */
export type CheckLine =
  | { readonly kind: 'steps' | 'over'; readonly steps: readonly CheckedStep[] }
  | { readonly kind: 'refused'; readonly text: string };

type Outcomes = Readonly<Record<CheckedStep['outcome'], string>>;

/** A check that has ended. */
interface EndedCheck {
  readonly id: string;
  readonly url: string;
  readonly ended: { readonly text: string; readonly exact: string };
  readonly steps: readonly CheckedStep[];
}

interface ReceiverCheckProps {
  /** The address of the route that runs the check and streams its steps. */
  readonly address: string;
  readonly outcomes: Outcomes;
  /** The check that ended last; null if there is none. */
  readonly last: EndedCheck | null;
}

type Phase = 'idle' | 'running' | 'over' | 'broken';

/** Runs a receiver check and shows each step as soon as its result arrives. Until then, it shows the last check. */
export function ReceiverCheck({ address, outcomes, last }: ReceiverCheckProps) {
  const t = useTranslations('Hooks');
  const router = useRouter();
  const [phase, setPhase] = useState<Phase>('idle');
  const [steps, setSteps] = useState<readonly CheckedStep[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  // The check before the one that this page has started.
  const [before, setBefore] = useState<string | null>(null);

  async function run(): Promise<void> {
    setPhase('running');
    setSteps([]);
    setRefusal(null);
    setBefore(last?.id ?? null);
    let over = false;
    try {
      for await (const line of linesOf(await fetch(address, { method: 'POST' }))) {
        if (line.kind === 'refused') setRefusal(line.text);
        else setSteps(line.steps);
        over = line.kind !== 'steps';
      }
    } catch {
      over = false;
    }
    setPhase(over ? 'over' : 'broken');
    // The refreshed page contains this check, and its calls in the list of tests.
    router.refresh();
  }

  const done = phase === 'idle' || (phase === 'over' && (refusal !== null || last?.id !== before));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="max-w-prose">{t('checkText')}</p>
      <Button type="button" disabled={phase === 'running'} onClick={run} className="justify-self-start">
        {phase === 'running' ? t('checkRunning') : t(last ? 'checkAgain' : 'checkStart')}
      </Button>
      <noscript>{t('checkNoScript')}</noscript>
      <div role="status" className="empty:-mt-4">
        {refusal !== null && <Notice tone="bad" text={refusal} />}
        {phase === 'over' && refusal === null && <p className="sr-only">{sumOf(steps, t)}</p>}
        {phase === 'broken' && <Notice tone="bad" text={t('checkBroken')} />}
      </div>
      {done && last && <CheckReport check={last} outcomes={outcomes} />}
      {!done && steps.length > 0 && <StepList steps={steps} outcomes={outcomes} running={phase === 'running'} />}
    </div>
  );
}

/** Returns how many steps had each outcome: `4 passed, 1 warning, 2 failed`. */
function sumOf(steps: readonly CheckedStep[], t: ReturnType<typeof useTranslations<'Hooks'>>): string {
  const count = (outcome: CheckedStep['outcome']) => steps.filter((step) => step.outcome === outcome).length;
  return t('checkDone', { passed: count('passed'), warnings: count('warning'), failed: count('failed'), skipped: count('skipped') });
}

/** The result of a check: the sum, the date, each step with advice, and the whole report as text to copy. */
function CheckReport({ check: { url, ended, steps }, outcomes }: { readonly check: EndedCheck; readonly outcomes: Outcomes }) {
  const t = useTranslations('Hooks');
  const sum = sumOf(steps, t);
  const has = (outcome: CheckedStep['outcome']) => steps.some((step) => step.outcome === outcome);
  const title = `${t('checkReport')}: ${sum}`;
  const lines = steps.flatMap(({ outcome, tried, text }) => [
    `- **${outcomes[outcome]}** ${tried}`,
    ...(outcome === 'passed' ? [] : [`  ${text}`]),
  ]);
  const report = [`## ${title}`, '', `${url} · ${ended.exact}`, '', ...lines, ''].join('\n');
  return (
    <section aria-label={t('checkReport')} className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex items-center gap-2 text-heading">
            <Icon name={has('failed') ? 'alert' : 'check'} className={`size-5 ${has('failed') ? 'text-danger' : 'text-good-ink'}`} />
            {sum}
          </p>
          <p className="text-small text-muted wrap-anywhere" title={ended.exact}>
            {ended.text} · {url}
          </p>
        </div>
        <CopyButton full value={report} text={t('copyReport')} />
      </div>
      <StepList steps={steps} outcomes={outcomes} running={false} />
    </section>
  );
}

interface StepListProps {
  readonly steps: readonly CheckedStep[];
  readonly outcomes: Outcomes;
  readonly running: boolean;
}

/** The steps of a check in their order. A step that did not pass has an advice. */
function StepList({ steps, outcomes, running }: StepListProps) {
  const t = useTranslations('Hooks');
  return (
    <ol className="divide-y divide-line">
      {steps.map(({ step, outcome, tried, text }) => {
        const waits = outcome === 'skipped' && running;
        return (
          <li key={step} className="grid gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto]">
            <p className="font-semibold">{tried}</p>
            <p className="sm:text-right">
              <OutcomeBadge outcome={outcome} text={waits ? t('waitingStep') : outcomes[outcome]} />
            </p>
            {!waits && outcome !== 'passed' && <p className="max-w-prose wrap-anywhere sm:col-span-2">{text}</p>}
          </li>
        );
      })}
    </ol>
  );
}

/** Reads the streamed answer line by line. Throws if it is not valid. */
async function* linesOf(answer: Response): AsyncGenerator<CheckLine> {
  if (!answer.ok || answer.body === null) throw new Error(`the receiver check answered with HTTP status ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

export interface TestResult {
  readonly good: boolean;
  readonly what: string | null;
  readonly text: string;
  readonly excerpt: string;
}

interface TestFormProps {
  readonly action: FormAction<'status', TestResult>;
  /** The bill statuses of a test webhook. In live, no test says that a bill is paid. */
  readonly statuses: readonly Option[];
}

/** Sends a test webhook and shows the result. */
export function TestForm({ action, statuses }: TestFormProps) {
  const t = useTranslations('Hooks');
  const { sender, typed, done: result, pending, field } = useFormAction(action, { status: statuses[0]?.value ?? '' });
  return (
    <ActionForm action={sender}>
      <p>{t('testText')}</p>
      <Select key={typed.status} {...field('status')} id="test-status" label={t('testStatus')} options={statuses} />
      <SubmitButton sending={t('testSending')}>{t('testSend')}</SubmitButton>
      <div role="status" className="empty:-mt-4">
        {result && !pending && (
          <Notice tone={result.good ? 'good' : 'bad'} {...(result.what !== null && { title: result.what })}>
            <p>{result.text}</p>
            {result.excerpt !== '' && (
              <pre className="mt-2 max-h-40 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">{result.excerpt}</pre>
            )}
          </Notice>
        )}
      </div>
    </ActionForm>
  );
}
