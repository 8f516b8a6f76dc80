import type { ReactNode } from 'react';

/** The main heading of a page, with a short description and its actions. */
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
