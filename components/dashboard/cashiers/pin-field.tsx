import type { ComponentProps } from 'react';
import { Field } from '@/components/ui/forms/fields';

/** A field for a PIN of six digits, with the numeric keyboard of a phone. */
export function PinField({ fresh = false, ...field }: ComponentProps<typeof Field> & { readonly fresh?: boolean }) {
  return (
    <Field
      type="password"
      inputMode="numeric"
      pattern="[0-9]{6}"
      maxLength={6}
      autoComplete={fresh ? 'new-password' : 'current-password'}
      required
      className="mt-1 block min-h-14 w-full rounded-lg border border-edge bg-surface px-3 py-2 text-center text-2xl tracking-[0.5em] aria-invalid:border-2 aria-invalid:border-danger"
      {...field}
    />
  );
}
