import type { ReactNode } from 'react';

/** A list of terms and values. It has two columns where its container is wide enough. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="grid gap-x-8 gap-y-2 @lg:grid-cols-2">{children}</dl>
    </div>
  );
}

/** A term with its value. The border above it separates it from the previous row, so the first row of each column has none. */
export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 first:border-t-0 first:pt-0 @lg:nth-2:border-t-0 @lg:nth-2:pt-0">
      <dt className="text-muted">{term}</dt>
      <dd className="ml-auto min-w-0 text-right font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
