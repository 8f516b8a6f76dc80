'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useConnectionTexts } from './connection';
import { Field, Select } from './fields';

const PATH = '/sign-in/again';

interface Cashier {
  readonly device: string;
  readonly name: string;
}

/** What the server says to a password, a PIN or a code: what is wrong, or what to ask for next. `next` is null after signing in. */
export type SignInAnswer = { readonly problem: string } | { readonly next: 'password' | 'code' | null };

/** The form that signs in again within the dialog about an ended session. A device of cashiers asks for a PIN, any other for a password. */
export function SignInAgain({ onDone }: { readonly onDone: () => void }) {
  const t = useConnectionTexts();
  const [cashiers, setCashiers] = useState<readonly Cashier[]>([]);
  const [step, setStep] = useState<'password' | 'pin' | 'code'>('password');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    listCashiers().then((list) => {
      setCashiers(list);
      if (list.length > 0) setStep('pin');
    });
  }, []);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    const answer = await send(form);
    setBusy(false);
    if (answer === null) return setProblem(t('downTitle'));
    setProblem('problem' in answer ? answer.problem : null);
    if ('problem' in answer) return;
    if (answer.next === null) onDone();
    else setStep(answer.next);
  };
  const shared = { required: true, problem } as const;
  return (
    <form onSubmit={submit} className="grid gap-3">
      <input type="hidden" name="do" value={step} />
      {step === 'password' && (
        <>
          <Field id="again-email" name="email" type="email" label={t('email')} autoComplete="username" required maxLength={254} />
          <Field id="again-password" name="password" type="password" label={t('password')} autoComplete="current-password" {...shared} />
        </>
      )}
      {step === 'pin' && (
        <>
          <Select
            id="again-device"
            name="device"
            label={t('who')}
            options={cashiers.map(({ device, name }) => ({ value: device, text: name }))}
          />
          <Field
            id="again-pin"
            name="pin"
            type="password"
            inputMode="numeric"
            pattern="[0-9]{6}"
            maxLength={6}
            label={t('pin')}
            autoComplete="current-password"
            {...shared}
          />
        </>
      )}
      {step === 'code' && (
        <Field id="again-code" name="code" label={t('code')} autoComplete="one-time-code" autoFocus maxLength={30} {...shared} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button disabled={busy}>{t('signInHere')}</Button>
        {step === 'pin' && (
          <Button type="button" look="plain" onClick={() => setStep('password')}>
            {t('byPassword')}
          </Button>
        )}
      </div>
    </form>
  );
}

async function listCashiers(): Promise<readonly Cashier[]> {
  try {
    const response = await fetch(PATH, { cache: 'no-store' });
    return response.ok ? await response.json() : [];
  } catch {
    return [];
  }
}

/** Sends the form. Returns null if no usable answer came. */
async function send(form: FormData): Promise<SignInAnswer | null> {
  try {
    const response = await fetch(PATH, { method: 'POST', body: form });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
