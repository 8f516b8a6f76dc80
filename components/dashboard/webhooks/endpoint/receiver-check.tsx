'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { type CheckedStep, type CheckLine, OutcomeBadge } from './outcome-badge';

interface ReceiverCheckProps {
  /** The address of the route that runs the check and streams its steps. */
  readonly address: string;
  readonly outcomes: Readonly<Record<CheckedStep['outcome'], string>>;
}

type Phase = 'idle' | 'running' | 'over' | 'broken';

/** Runs a receiver check and shows each step as soon as its result arrives. */
export function ReceiverCheck({ address, outcomes }: ReceiverCheckProps) {
  const t = useTranslations('Hooks');
  const router = useRouter();
  const [phase, setPhase] = useState<Phase>('idle');
  const [steps, setSteps] = useState<readonly CheckedStep[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function run(): Promise<void> {
    setPhase('running');
    setSteps([]);
    setRefusal(null);
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
    // The refreshed page contains the calls of this check in its list of tests.
    router.refresh();
  }

  const count = (outcome: CheckedStep['outcome']) => steps.filter((step) => step.outcome === outcome).length;
  return (
    <div className="grid gap-4">
      <p>{t('checkText')}</p>
      <Button type="button" disabled={phase === 'running'} onClick={run} className="justify-self-start">
        {phase === 'running' ? t('checkRunning') : t('checkStart')}
      </Button>
      <noscript>{t('checkNoScript')}</noscript>
      <div role="status" className="empty:-mt-4">
        {refusal !== null && <Notice tone="bad" text={refusal} />}
        {phase === 'over' && refusal === null && (
          <Notice tone={count('failed') > 0 ? 'bad' : 'good'} text={t('checkDone', { passed: count('passed'), failed: count('failed') })} />
        )}
        {phase === 'broken' && <Notice tone="bad" text={t('checkBroken')} />}
      </div>
      {steps.length > 0 && (
        <ol className="grid gap-3">
          {steps.map(({ step, outcome, tried, text }) => {
            const waits = outcome === 'skipped' && phase === 'running';
            return (
              <li key={step} className="border-l-2 border-line pl-3">
                <p className="flex flex-wrap items-center gap-2">
                  <OutcomeBadge outcome={outcome} text={waits ? t('waitingStep') : outcomes[outcome]} />
                  <strong>{tried}</strong>
                </p>
                {!waits && <p className="wrap-anywhere">{text}</p>}
              </li>
            );
          })}
        </ol>
      )}
    </div>
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
