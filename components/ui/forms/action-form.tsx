'use client';

import { type FormEvent, type ReactNode, useTransition } from 'react';
import { Notice } from '@/components/ui/notice';
import { useConnectionTexts } from './connection-texts';
import { HiddenFields } from './hidden-fields';
import { type Sender, usePlainAction } from './use-form-action';

interface FormProps {
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** A validation error of the whole form. */
  readonly problem?: string | null | undefined;
  readonly className?: string;
  readonly id?: string;
  /** Called when the browser resets the form, which also clears file inputs. That happens after every answer. */
  readonly onReset?: (() => void) | undefined;
  readonly children: ReactNode;
}

interface ActionFormProps extends FormProps {
  /** A server action that redirects, or the sender that useFormAction returned. */
  readonly action: ((form: FormData) => void | Promise<void>) | Sender;
  /** Whether the form works without a session. A sender from useFormAction has its own setting. */
  readonly guest?: boolean;
}

/** A form for a server action. It keeps the typed values if it cannot be sent. */
export function ActionForm({ action, guest = false, ...form }: ActionFormProps) {
  return typeof action === 'function' ? <PlainForm action={action} guest={guest} {...form} /> : <SentForm sender={action} {...form} />;
}

interface PlainFormProps extends FormProps {
  readonly action: (form: FormData) => void | Promise<void>;
  readonly guest: boolean;
}

function PlainForm({ action, guest, ...form }: PlainFormProps) {
  return <SentForm sender={usePlainAction(action, { guest })} {...form} />;
}

function SentForm({ sender, hidden = {}, problem, className = 'grid max-w-xl gap-4', children, ...form }: FormProps & { sender: Sender }) {
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
    <form ref={sender.form} data-keeps-values="" action={sender.send} onSubmit={submit} className={className} {...form}>
      <HiddenFields values={hidden} />
      {sender.trouble !== null && <Notice tone="bad" role="alert" title={t(sender.trouble)} />}
      {sender.trouble === null && problem && <Notice tone="bad" role="alert" title={problem} />}
      {children}
    </form>
  );
}
