import Link from 'next/link';

/** The way from one page without a merchant to another. */
export function PlainLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <p>
      <Link href={href} prefetch={false} className="font-semibold text-brand underline">
        {text}
      </Link>
    </p>
  );
}
