import type { ComponentProps } from 'react';

export type Look = 'primary' | 'plain' | 'danger';

const SHARED = 'inline-flex min-h-control items-center justify-center gap-2 rounded-lg border px-control-x py-1 text-center font-semibold';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'border-brand bg-brand text-on-brand hover:bg-brand-deep',
  plain: 'border-edge bg-surface text-ink hover:bg-sunken',
  danger: 'border-danger bg-danger text-on-danger hover:opacity-90',
};

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(look: Look): string {
  return `${SHARED} ${LOOKS[look]}`;
}

export function Button({ look = 'primary', className = '', ...props }: ComponentProps<'button'> & { readonly look?: Look }) {
  return <button type="submit" className={`${buttonClass(look)} cursor-pointer disabled:opacity-60 ${className}`} {...props} />;
}
