'use client';

import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field } from '@/components/ui/forms/fields';

interface PasswordFieldProps extends ComponentProps<typeof Field> {
  /** The labels of the button: `Show` and `Hide`. `what` completes them for screen readers. */
  readonly words: { readonly show: string; readonly hide: string; readonly what: string };
  readonly autoComplete: 'current-password' | 'new-password';
}

/** A password field with a button that shows and hides the typed password (WCAG 2.2, 3.3.8). */
export function PasswordField({ words, ...field }: PasswordFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(false);
  // True as soon as JavaScript runs. Before that, the button "Show" would do nothing, so it is not shown.
  const [ready, setReady] = useState(false);
  useEffect(() => {
    setReady(true);
    const form = box.current?.querySelector('input')?.form;
    // Hides the password before the form is sent, because browsers store the value of an ordinary text field in their form history.
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  return (
    <div ref={box} className="relative">
      <Field {...field} type={shown ? 'text' : 'password'} autoCapitalize="none" autoCorrect="off" spellCheck={false} />
      {ready && (
        <button
          type="button"
          aria-controls={field.id}
          onClick={() => setShown(!shown)}
          className="absolute -top-4 -right-1 min-h-11 min-w-11 cursor-pointer px-1 text-sm font-semibold text-brand underline underline-offset-2"
        >
          {shown ? words.hide : words.show}
          <span className="sr-only"> {words.what}</span>
        </button>
      )}
    </div>
  );
}
