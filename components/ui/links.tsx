import Link from 'next/link';
import type { ComponentProps } from 'react';
import { buttonClass, type Look } from './button';

/** A link within a text or a table. */
export function TextLink({ className = '', ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} className={`font-semibold text-brand underline underline-offset-2 wrap-anywhere ${className}`} {...props} />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ look = 'plain', className = '', ...props }: ComponentProps<typeof Link> & { readonly look?: Look }) {
  return <Link prefetch={false} className={`${className} ${buttonClass(look)}`} {...props} />;
}
