import type { ReactNode } from 'react';

/** A list of terms and values. With `narrow` it has one column on wide screens too. */
export function Facts({ narrow = false, children }: { readonly narrow?: boolean; readonly children: ReactNode }) {
  return <dl className={`grid gap-x-8 gap-y-2 sm:grid-cols-2 ${narrow ? 'xl:grid-cols-1' : ''}`}>{children}</dl>;
}

export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-b border-line pb-2">
      <dt className="text-muted">{term}</dt>
      <dd className="ml-auto min-w-0 text-right font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
