'use client';

import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field } from '@/components/ui/forms/field';

interface PasswordFieldProps extends ComponentProps<typeof Field> {
  /** The button's words: `Show` and `Hide`, each with what it shows for those who only hear it. */
  readonly words: { readonly show: string; readonly hide: string; readonly what: string };
  readonly autoComplete: 'current-password' | 'new-password';
}

/** A field for a password, which can be looked at while it is typed (WCAG 2.2, 3.3.8: nobody has to type from memory unseen). */
export function PasswordField({ words, ...field }: PasswordFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(false);
  // Without a script the button could do nothing.
  const [ready, setReady] = useState(false);
  useEffect(() => {
    setReady(true);
    const form = box.current?.querySelector('input')?.form;
    // So that no browser keeps it among what was typed into text fields.
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
          className="absolute top-0 right-0 min-h-6 cursor-pointer px-1 text-sm font-semibold text-brand underline underline-offset-2"
        >
          {shown ? words.hide : words.show}
          <span className="sr-only"> {words.what}</span>
        </button>
      )}
    </div>
  );
}
