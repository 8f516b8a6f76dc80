'use client';

import { unstable_isUnrecognizedActionError as isUnknownAction, unstable_rethrow as rethrowOfNext, useParams } from 'next/navigation';
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
import { FOREIGN_FORM, FORM_ON_HOLD } from '@/lib/entry/http/same-origin';
import type { FormAction, FormState, PlainAction } from '@/lib/entry/server/form-action';
import { Button } from '../button';
import { Notice } from '../notice';
import { checkConnection, reportIncident, TROUBLE_TEXTS, type Trouble, useConnectionTexts } from './connection';
import { FieldProblems, useFieldCheck } from './field-problems';
import { HiddenFields } from './fields';

interface FormProps {
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  readonly className?: string;
  readonly children: ReactNode;
}

interface ActionFormProps extends FormProps {
  /** A server action that redirects, or the sender that useFormAction returned. */
  readonly action: PlainAction | Sender;
  /** Whether the form works without a session. Ignored if `action` is a sender: then the option `guest` of useFormAction decides. */
  readonly guest?: boolean;
}

/**
 * A form for a server action. It keeps the typed values if it cannot be sent. On the pages of a merchant, it sends the merchant and the
 * environment of the page. Every action checks the access to them, so that tabs with different merchants cannot be confused.
 */
export function ActionForm({ action, guest = false, ...form }: ActionFormProps) {
  return typeof action === 'function' ? <PlainForm action={action} guest={guest} {...form} /> : <SentForm sender={action} {...form} />;
}

function PlainForm({ action, guest, ...form }: FormProps & { readonly action: PlainAction; readonly guest: boolean }) {
  return <SentForm sender={usePlainAction(action, { guest })} {...form} />;
}

function SentForm({ sender, hidden, className = 'grid max-w-xl gap-4', children }: FormProps & { readonly sender: Sender }) {
  const t = useConnectionTexts();
  const { merchant, environment } = useParams<{ merchant?: string; environment?: string }>();
  const [, startTransition] = useTransition();
  const fields = useFieldCheck();
  const trouble = sender.trouble && TROUBLE_TEXTS[sender.trouble];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // Without this call, React would reset the form after each submission, even if no answer came.
    event.preventDefault();
    if (!fields.check(event.currentTarget)) return;
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
      noValidate
      onInput={fields.forget}
      className={className}
    >
      <HiddenFields values={{ ...(merchant && environment && { merchant, environment }), ...hidden }} />
      {trouble && (
        <div data-says-connection className="[body:has(dialog_[data-says-connection])_&]:hidden">
          <Notice tone="bad" role="alert" title={t(trouble.title)} text={t(trouble.text)} />
        </div>
      )}
      {!trouble && sender.problem && <Notice tone="bad" role="alert" title={sender.problem} />}
      <FieldProblems value={fields.problems}>{children}</FieldProblems>
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

/** What a form needs to send its data without losing typed values. */
interface Sender {
  readonly send: (form: FormData) => void | Promise<void>;
  readonly form: RefObject<HTMLFormElement | null>;
  /** The button that was pressed. */
  readonly submitter: RefObject<HTMLElement | null>;
  /**
   * Why the form was not sent, or why it is unknown whether the form was sent. A dialog over the page shows this reason. After the dialog
   * is closed, the form shows the reason.
   */
  readonly trouble: Trouble | null;
  /** The error of the whole form. */
  readonly problem?: string | undefined;
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
 * @param first the values of the fields before the form is sent.
 */
export function useFormAction<Field extends string, Done>(
  action: FormAction<Field, Done>,
  first: FormState<NoInfer<Field>>['typed'],
  options?: SenderOptions,
) {
  const { runAction, ...sender } = useSubmission(options);
  const send = async (before: FormState<Field, Done>, data: FormData) => {
    const answer = await runAction(data, () => action(before, data));
    return answer === null ? before : answer.value;
  };
  const [state, submit, pending] = useActionState<FormState<Field, Done>, FormData>(IN_BROWSER ? send : action, { typed: first });
  const { typed, problems } = state;
  return {
    sender: { ...sender, send: submit, problem: problems?.all } satisfies Sender,
    ...state,
    pending,
    /** Returns the props of a field: its id and name, its value and its error. */
    field: (name: Field) => ({ id: name, name, defaultValue: typed[name], problem: problems?.[name] }),
  };
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
  const text = error instanceof Error ? error.message : '';
  if (text === FORM_ON_HOLD) return 'onHold';
  return text === FOREIGN_FORM ? 'foreign' : 'unknown';
}
