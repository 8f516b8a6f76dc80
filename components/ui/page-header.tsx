import type { ReactNode } from 'react';

/** The page's one top heading, a line that says what it is about, and what can be done with it. */
export function PageHeader({ title, intro, children }: { readonly title: string; readonly intro?: string; readonly children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h1 title={title} className="line-clamp-3 text-2xl font-bold wrap-anywhere">
          {title}
        </h1>
        {intro && <p className="mt-1 text-muted">{intro}</p>}
      </div>
      {children}
    </div>
  );
}
