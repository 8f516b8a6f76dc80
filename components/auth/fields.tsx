import type { ComponentProps, ReactNode } from 'react';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'name'> {
  /** The id and the name of the field. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | null | undefined;
}

export function Field({ id, label, hint, problem = null, ...input }: FieldProps) {
  return (
    <Labelled {...{ id, label, hint, problem }}>
      <input {...described({ id, hint, problem })} {...input} />
    </Labelled>
  );
}

/** Returns the attributes that connect a field with its hint and its problem. */
function described({ id, hint, problem }: Pick<FieldProps, 'id' | 'hint' | 'problem'>) {
  const ids = [problem ? `${id}-problem` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return { id, name: id, 'aria-describedby': ids || undefined, 'aria-invalid': problem ? true : undefined };
}

interface LabelledProps extends Pick<FieldProps, 'id' | 'label'> {
  readonly hint: string | undefined;
  readonly problem: string | null;
  readonly children: ReactNode;
}

function Labelled({ id, label, hint, problem, children }: LabelledProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {problem && (
        <p id={`${id}-problem`} className="error" role="alert">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface PasswordFieldProps extends FieldProps {
  readonly locale: Locale;
  readonly autoComplete: 'current-password' | 'new-password';
}

/** A password field with a button that shows and hides the password. The script shows the button, which does nothing without it. */
export function PasswordField({ locale, id, label, hint, problem = null, ...input }: PasswordFieldProps) {
  const t = translator(locale, 'PasswordField');
  return (
    <Labelled {...{ id, label, hint, problem }}>
      <div className="secret">
        <input
          {...described({ id, hint, problem })}
          type="password"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          maxLength={1000}
          {...input}
        />
        <button type="button" className="show" aria-controls={id} data-hide={t('hide')} hidden>
          {t('show')}
          <span className="say"> {t('what')}</span>
        </button>
      </div>
    </Labelled>
  );
}

/** A field for a PIN of six digits, with the numeric keyboard of a phone. @param fresh whether the person chooses the PIN now. */
export function PinField({ fresh = false, ...field }: FieldProps & { readonly fresh?: boolean }) {
  return (
    <Field
      type="password"
      className="pin"
      inputMode="numeric"
      pattern="[0-9]{6}"
      maxLength={6}
      autoComplete={fresh ? 'new-password' : 'current-password'}
      required
      {...field}
    />
  );
}

/** The e-mail address of an account whose password is set. It tells password managers whose password it is. */
export function OwnerOfPassword({ email }: { readonly email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}

interface SendFormProps {
  readonly button: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly children?: ReactNode;
}

/** A form that is sent to the address of its page, unless it has another `action`. */
export function SendForm({ button, hidden = {}, children, ...form }: SendFormProps & Omit<ComponentProps<'form'>, 'hidden'>) {
  return (
    <form method="post" {...form}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <button type="submit">{button}</button>
    </form>
  );
}
