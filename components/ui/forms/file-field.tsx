'use client';

import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { buttonClass } from '../button';
import { Icon } from '../icon';
import { useScripted } from '../use-scripted';
import { useProblem } from './field-problems';
import { Problem } from './fields';

interface FileFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly problem?: string | null | undefined;
  readonly accept: string;
  readonly required?: boolean;
  /** The text of the button. It replaces the browser's own button, which is in the browser's language and cuts off the name of the file. */
  readonly choose: string;
  /** The text that the field shows while no file is chosen. */
  readonly none: string;
  readonly onPick?: (file: File | null) => void;
}

/** A field for one file, with a button in the language of the page. Without JavaScript the field is the browser's own. */
export function FileField({ id, label, hint, problem: answered, accept, required = false, choose, none, onPick }: FileFieldProps) {
  const problem = useProblem(id, answered);
  const [name, setName] = useState<string | null>(null);
  const scripted = useScripted();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = input.current?.form;
    const forget = () => setName(null);
    form?.addEventListener('reset', forget);
    return () => form?.removeEventListener('reset', forget);
  }, []);
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0] ?? null;
    setName(file?.name ?? null);
    onPick?.(file);
  };
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <div className="mt-1 flex min-h-control flex-wrap items-center gap-3">
        <input
          ref={input}
          id={id}
          name={id}
          type="file"
          accept={accept}
          required={required}
          aria-describedby={[problem && `${id}-problem`, `${id}-hint`].filter(Boolean).join(' ')}
          aria-invalid={problem ? true : undefined}
          onChange={change}
          // Without this class, the browser's own field would be wider than a phone's screen.
          className={scripted ? 'peer sr-only' : 'w-0 grow'}
        />
        {scripted && (
          <>
            <label
              htmlFor={id}
              className={`${buttonClass('plain')} cursor-pointer peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-amber`}
            >
              <Icon name="upload" /> {choose}
            </label>
            <span className="min-w-0 text-muted wrap-anywhere">{name ?? none}</span>
          </>
        )}
      </div>
      <Problem id={id} text={problem} className="mt-1" />
      <p id={`${id}-hint`} className="mt-1 text-small text-muted">
        {hint}
      </p>
    </div>
  );
}
