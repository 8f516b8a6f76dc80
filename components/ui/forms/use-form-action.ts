'use client';

import { unstable_rethrow as rethrowOfNext } from 'next/navigation';
import { type RefObject, startTransition, useActionState, useRef, useState } from 'react';
import { requestFormReset } from 'react-dom';
import { announceSessionEnd, checkLine } from './line';

/** Answers a form that keeps what was typed: with how it stands then. */
export type FormAction<State> = (before: Awaited<State>, form: FormData) => Promise<State>;

/** Why nothing came of a form: `offline` never reached the server; of `unknown` nobody can say. */
type Trouble = 'offline' | 'unknown';

/** What a form needs to be sent without losing what was typed. */
export interface Sender {
  readonly send: (form: FormData) => void | Promise<void>;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly trouble: Trouble | null;
}

interface SenderOptions {
  /** Whether the form needs no session. */
  readonly guest?: boolean;
}

const IN_BROWSER = typeof window !== 'undefined';

/**
 * As useActionState, but a form that could not be sent keeps what was typed, and its page stays. Without JavaScript the browser sends
 * the form itself: for that, the server renders it with the action as it is.
 */
export function useFormAction<State>(action: FormAction<State>, first: Awaited<State>, options?: SenderOptions) {
  const { deliver, ...kept } = useDelivery(options);
  const send = async (before: Awaited<State>, data: FormData) => {
    const answer = await deliver(() => action(before, data));
    return answer === null ? before : answer.value;
  };
  const [state, submit, pending] = useActionState<State | Awaited<State>, FormData>(IN_BROWSER ? send : action, first);
  return [state, { ...kept, send: submit }, pending] as const satisfies readonly [Awaited<State>, Sender, boolean];
}

/** The same for an action that answers by leading elsewhere. */
export function usePlainAction(action: (form: FormData) => void | Promise<void>, options?: SenderOptions): Sender {
  const { deliver, ...kept } = useDelivery(options);
  const send = async (data: FormData) => {
    await deliver(async () => action(data));
  };
  return { ...kept, send: IN_BROWSER ? send : action };
}

function useDelivery({ guest = false }: SenderOptions = {}) {
  const form = useRef<HTMLFormElement>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  /** @returns null when nothing, or nobody knows what, came of it. */
  async function deliver<Answer>(run: () => Promise<Answer>): Promise<{ readonly value: Answer } | null> {
    setTrouble(null);
    const line = await checkLine();
    if (line === 'lost') {
      setTrouble('offline');
      return null;
    }
    if (line === 'signed_out' && !guest) {
      announceSessionEnd({ asked: true });
      return null;
    }
    try {
      const value = await run();
      // The browser keeps what was typed; the answer says what is to stand there now.
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
  return { form, trouble, deliver };
}
