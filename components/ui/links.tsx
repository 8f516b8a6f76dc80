import Link from 'next/link';
import type { ComponentProps } from 'react';
import { buttonClass, type Look } from './button';

export function TextLink({ className = '', ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} className={`font-semibold text-brand underline underline-offset-2 wrap-anywhere ${className}`} {...props} />
  );
}

export function ButtonLink({ look = 'plain', className = '', ...props }: ComponentProps<typeof Link> & { readonly look?: Look }) {
  return <Link prefetch={false} className={`${className} ${buttonClass(look)}`} {...props} />;
}
