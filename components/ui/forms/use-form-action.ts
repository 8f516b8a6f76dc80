'use client';

import { unstable_rethrow as rethrowOfNext } from 'next/navigation';
import { type RefObject, startTransition, useActionState, useRef, useState } from 'react';
import { requestFormReset } from 'react-dom';
import { announceSessionEnd, checkConnection } from './connection';

/** A server action that returns the new state of its form. */
export type FormAction<State> = (before: Awaited<State>, form: FormData) => Promise<State>;

/** Why sending failed. `offline`: the form did not reach the server. `unknown`: nobody can tell whether it did. */
type Trouble = 'offline' | 'unknown';

/** What a form needs to send its data without losing typed values. */
export interface Sender {
  readonly send: (form: FormData) => void | Promise<void>;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly trouble: Trouble | null;
}

interface SenderOptions {
  /** Whether the form works without a session. */
  readonly guest?: boolean;
}

const IN_BROWSER = typeof window !== 'undefined';

/**
 * Works like useActionState, but a form that could not be sent keeps its typed values, and its page stays. The server renders the form with
 * the original action, so that it also works without JavaScript.
 */
export function useFormAction<State>(action: FormAction<State>, first: Awaited<State>, options?: SenderOptions) {
  const { runAction, ...sender } = useSubmission(options);
  const send = async (before: Awaited<State>, data: FormData) => {
    const answer = await runAction(() => action(before, data));
    return answer === null ? before : answer.value;
  };
  const [state, submit, pending] = useActionState<State | Awaited<State>, FormData>(IN_BROWSER ? send : action, first);
  return [state, { ...sender, send: submit }, pending] as const satisfies readonly [Awaited<State>, Sender, boolean];
}

/** Works like useFormAction, for an action that answers with a redirect. */
export function usePlainAction(action: (form: FormData) => void | Promise<void>, options?: SenderOptions): Sender {
  const { runAction, ...sender } = useSubmission(options);
  const send = async (data: FormData) => {
    await runAction(async () => action(data));
  };
  return { ...sender, send: IN_BROWSER ? send : action };
}

function useSubmission({ guest = false }: SenderOptions = {}) {
  const form = useRef<HTMLFormElement>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  /** Runs a server action. Returns null if sending failed. */
  async function runAction<Answer>(run: () => Promise<Answer>): Promise<{ readonly value: Answer } | null> {
    setTrouble(null);
    const connection = await checkConnection();
    if (connection === 'lost') {
      setTrouble('offline');
      return null;
    }
    if (connection === 'signed_out' && !guest) {
      announceSessionEnd({ asked: true });
      return null;
    }
    try {
      const value = await run();
      // Resets the form to the values of the answer. Otherwise the browser would keep the typed values.
      startTransition(() => {
        if (form.current) requestFormReset(form.current);
      });
      return { value };
    } catch (error) {
      rethrowOfNext(error);
      setTrouble('unknown');
      return null;
    }
  }
  return { form, trouble, runAction };
}
