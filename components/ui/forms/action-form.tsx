'use client';

import { unstable_isUnrecognizedActionError as isUnknownAction, unstable_rethrow as rethrowOfNext } from 'next/navigation';
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
import { FOREIGN_FORM } from '@/lib/http/same-origin';
import { Button } from '../button';
import { Notice } from '../notice';
import { checkConnection, reportIncident, type Trouble } from './connection';
import { TROUBLE_TEXTS, useConnectionTexts } from './connection-texts';
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
  /** Whether the form works without a session. Ignored if `action` is a sender: then the option `guest` of useFormAction decides. */
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
  const trouble = sender.trouble && TROUBLE_TEXTS[sender.trouble];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // Without this call, React would reset the form after each submission, even if no answer came.
    event.preventDefault();
    const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    sender.submitter.current = submitter;
    const data = new FormData(event.currentTarget, submitter);
    startTransition(() => sender.send(data));
  };
  return (
    <form
      ref={sender.form}
      data-keeps-values=""
      action={sender.send}
      onSubmit={submit}
      onInvalidCapture={({ target }) => {
        // Without this call, the browser names the problem in its own language, not in that of the page.
        if (hasValidity(target) && target.validity.valueMissing) target.setCustomValidity(t('required'));
      }}
      onInputCapture={({ target }) => hasValidity(target) && target.setCustomValidity('')}
      className={className}
    >
      <HiddenFields values={hidden} />
      {trouble && (
        <div data-says-connection className="[body:has([role=dialog]_[data-says-connection])_&]:hidden">
          <Notice tone="bad" role="alert" title={t(trouble.title)} text={t(trouble.text)} />
        </div>
      )}
      {!trouble && problem && <Notice tone="bad" role="alert" title={problem} />}
      {children}
    </form>
  );
}

function hasValidity(target: EventTarget): target is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
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

/** What a form needs to send its data without losing typed values. */
interface Sender {
  readonly send: PlainAction;
  readonly form: RefObject<HTMLFormElement | null>;
  /** The button that was pressed. */
  readonly submitter: RefObject<HTMLElement | null>;
  /**
   * Why the form was not sent, or why it is unknown whether the form was sent. A dialog over the page shows this reason. After the dialog
   * is closed, the form shows the reason.
   */
  readonly trouble: Trouble | null;
}

interface SenderOptions {
  /** Whether the form works without a session. */
  readonly guest?: boolean;
}

/** The name of the hidden field with a form's id. If a form with the same id is sent twice, the server executes it only once. */
const FORM_ID = 'form';

const IN_BROWSER = typeof window !== 'undefined';

/**
 * Works like useActionState, but a form that could not be sent keeps its typed values, and its page stays. The server renders the form with
 * the original action, so that it also works without JavaScript.
 */
export function useFormAction<State>(action: FormAction<State>, first: Awaited<State>, options?: SenderOptions) {
  const { runAction, ...sender } = useSubmission(options);
  const send = async (before: Awaited<State>, data: FormData) => {
    const answer = await runAction(data, () => action(before, data));
    return answer === null ? before : answer.value;
  };
  const [state, submit, pending] = useActionState<State | Awaited<State>, FormData>(IN_BROWSER ? send : action, first);
  return [state, { ...sender, send: submit }, pending] as const satisfies readonly [Awaited<State>, Sender, boolean];
}

/** Works like useFormAction, for an action that answers with a redirect. */
function usePlainAction(action: PlainAction, options?: SenderOptions): Sender {
  const { runAction, ...sender } = useSubmission(options);
  const send = async (data: FormData) => {
    await runAction(data, async () => action(data));
  };
  return { ...sender, send: IN_BROWSER ? send : action };
}

function useSubmission({ guest = false }: SenderOptions = {}) {
  const form = useRef<HTMLFormElement>(null);
  const submitter = useRef<HTMLElement>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  function fail(why: Trouble, data: FormData): null {
    setTrouble(why);
    const again = () => form.current?.requestSubmit(submitter.current?.isConnected ? submitter.current : null);
    reportIncident({ trouble: why, again, repeatable: data.has(FORM_ID) });
    return null;
  }

  /** Runs a server action. Returns null if sending failed. */
  async function runAction<Answer>(data: FormData, run: () => Promise<Answer>): Promise<{ readonly value: Answer } | null> {
    setTrouble(null);
    const connection = await checkConnection();
    if (connection !== 'open' && !(connection === 'ended' && guest)) return fail(connection, data);
    try {
      const value = await run();
      // After this reset, the fields show the values that the server action returned, instead of the typed values.
      startTransition(() => {
        if (form.current) requestFormReset(form.current);
      });
      return { value };
    } catch (error) {
      rethrowOfNext(error);
      return fail(troubleOf(error), data);
    }
  }
  return { form, submitter, trouble, runAction };
}

/** Returns why a server action failed. Next.js makes the text of a refusal the message of the error. */
function troubleOf(error: unknown): Trouble {
  if (isUnknownAction(error)) return 'version';
  return error instanceof Error && error.message === FOREIGN_FORM ? 'foreign' : 'unknown';
}
