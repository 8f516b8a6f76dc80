'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import type { IconName } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { CheckedStep, CheckLine } from './check-line';

interface ReceiverCheckProps {
  /** Runs the check, and answers a line for each piece of news. */
  readonly address: string;
  /** What each outcome is called. */
  readonly outcomes: Readonly<Record<CheckedStep['outcome'], string>>;
}

const LOOKS: Readonly<Record<CheckedStep['outcome'], { readonly tone: Tone; readonly icon: IconName }>> = {
  passed: { tone: 'good', icon: 'check' },
  warning: { tone: 'wait', icon: 'warning' },
  failed: { tone: 'bad', icon: 'cross' },
  skipped: { tone: 'quiet', icon: 'clock' },
};

type Phase = 'idle' | 'running' | 'over' | 'broken';

/** Checks a receiver, and tells of each step as its result comes. */
export function ReceiverCheck({ address, outcomes }: ReceiverCheckProps) {
  const t = useTranslations('Hooks');
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
  }

  const count = (outcome: CheckedStep['outcome']) => steps.filter((step) => step.outcome === outcome).length;
  return (
    <div className="grid gap-4">
      <p>{t('checkText')}</p>
      <Button type="button" disabled={phase === 'running'} onClick={run} className="justify-self-start">
        {phase === 'running' ? t('checkRunning') : t('checkStart')}
      </Button>
      <noscript>{t('checkNoScript')}</noscript>
      <div role="status">
        {refusal !== null && (
          <Notice tone="bad">
            <p>{refusal}</p>
          </Notice>
        )}
        {phase === 'over' && refusal === null && (
          <Notice tone={count('failed') > 0 ? 'bad' : 'good'}>
            <p>{t('checkDone', { passed: count('passed'), failed: count('failed') })}</p>
          </Notice>
        )}
        {phase === 'broken' && (
          <Notice tone="bad">
            <p>{t('checkBroken')}</p>
          </Notice>
        )}
      </div>
      {steps.length > 0 && (
        <ol className="grid gap-3">
          {steps.map(({ step, outcome, tried, text }) => {
            const waits = outcome === 'skipped' && phase === 'running';
            return (
              <li key={step} className="border-l-2 border-line pl-3">
                <p className="flex flex-wrap items-center gap-2">
                  <Badge {...LOOKS[outcome]}>{waits ? t('waitingStep') : outcomes[outcome]}</Badge>
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

/** Reads an answer line by line, as it comes. Throws when it is none of ours. */
async function* linesOf(answer: Response): AsyncGenerator<CheckLine> {
  if (!answer.ok || answer.body === null) throw new Error(`the check answered ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
