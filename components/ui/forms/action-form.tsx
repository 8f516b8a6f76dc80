'use client';

import { unstable_rethrow as rethrowOfNext } from 'next/navigation';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  startTransition,
  useActionState,
  useRef,
  useState,
  useTransition,
} from 'react';
import { requestFormReset, useFormStatus } from 'react-dom';
import { Button } from '../button';
import { Notice } from '../notice';
import { announceSessionEnd, checkConnection } from './connection';
import { useConnectionTexts } from './connection-texts';
import { HiddenFields } from './fields';

type PlainAction = (form: FormData) => void | Promise<void>;

interface FormProps {
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** A validation error of the whole form. */
  readonly problem?: string | null | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

interface ActionFormProps extends FormProps {
  /** A server action that redirects, or the sender that useFormAction returned. */
  readonly action: PlainAction | Sender;
  /** Whether the form works without a session. A sender from useFormAction has its own setting. */
  readonly guest?: boolean;
}

/** A form for a server action. It keeps the typed values if it cannot be sent. */
export function ActionForm({ action, guest = false, ...form }: ActionFormProps) {
  return typeof action === 'function' ? <PlainForm action={action} guest={guest} {...form} /> : <SentForm sender={action} {...form} />;
}

function PlainForm({ action, guest, ...form }: FormProps & { readonly action: PlainAction; readonly guest: boolean }) {
  return <SentForm sender={usePlainAction(action, { guest })} {...form} />;
}

function SentForm({ sender, hidden = {}, problem, className = 'grid max-w-xl gap-4', children }: FormProps & { readonly sender: Sender }) {
  const t = useConnectionTexts();
  const [, startTransition] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // Prevents React from resetting the form after every answer, even if there was none.
    event.preventDefault();
    const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    const data = new FormData(event.currentTarget, submitter);
    startTransition(() => sender.send(data));
  };
  return (
    <form ref={sender.form} data-keeps-values="" action={sender.send} onSubmit={submit} className={className}>
      <HiddenFields values={hidden} />
      {sender.trouble !== null && <Notice tone="bad" role="alert" title={t(sender.trouble)} />}
      {sender.trouble === null && problem && <Notice tone="bad" role="alert" title={problem} />}
      {children}
    </form>
  );
}

/** A submit button. It is disabled, and may show another text, while the form is being sent. */
export function SubmitButton({ sending, children, ...props }: ComponentProps<typeof Button> & { readonly sending?: string }) {
  const { pending } = useFormStatus();
  return (
    <Button disabled={pending} className="justify-self-start" {...props}>
      {pending && sending ? sending : children}
    </Button>
  );
}

/** A server action that returns the new state of its form. */
export type FormAction<State> = (before: Awaited<State>, form: FormData) => Promise<State>;

/** Why sending failed. `offline`: the form did not reach the server. `unknown`: nobody can tell whether it did. */
type Trouble = 'offline' | 'unknown';

/** What a form needs to send its data without losing typed values. */
interface Sender {
  readonly send: PlainAction;
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
function usePlainAction(action: PlainAction, options?: SenderOptions): Sender {
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
