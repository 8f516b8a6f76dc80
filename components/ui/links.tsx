import Link from 'next/link';
import type { ComponentProps } from 'react';
import { buttonClass, type Look } from './button';
import { Icon } from './icon';

export function TextLink({ className = '', ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} className={`font-semibold text-brand underline underline-offset-2 wrap-anywhere ${className}`} {...props} />
  );
}

/** A link at the top of a page. It leads to the page one level higher. */
export function BackLink({ children, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className="inline-flex min-h-control items-center gap-1 justify-self-start font-semibold text-brand underline-offset-2 hover:underline"
      {...props}
    >
      <Icon name="left" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </Link>
  );
}

/** The link of a row. It has the colour of the text, and a click anywhere on the row opens it. */
export function RowLink({ className = '', ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} className={`font-semibold wrap-anywhere after:absolute after:inset-0 hover:underline ${className}`} {...props} />
  );
}

export function ButtonLink({ look = 'plain', className = '', ...props }: ComponentProps<typeof Link> & { readonly look?: Look }) {
  return <Link prefetch={false} className={`${className} ${buttonClass(look)}`} {...props} />;
}
