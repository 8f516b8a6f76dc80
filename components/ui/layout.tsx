import type { ReactNode } from 'react';

/** A card. With a title it is a section that screen readers can jump to. */
export function Card({ id, title, children }: { readonly id?: string; readonly title?: string; readonly children: ReactNode }) {
  const sheet = 'rounded-xl border border-line bg-surface p-4 sm:p-5';
  if (title === undefined) return <div className={sheet}>{children}</div>;
  return (
    <section aria-labelledby={id} className={sheet}>
      <h2 id={id} className="mb-3 text-lg font-bold">
        {title}
      </h2>
      {children}
    </section>
  );
}

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

/** Replaces an empty list by a text that says what to do. */
export function EmptyState({ title, text, children }: { readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="px-2 py-8 text-center">
      <p className="text-lg font-bold">{title}</p>
      <p className="mx-auto mt-1 max-w-prose text-muted">{text}</p>
      {children && <div className="mt-4">{children}</div>}
    </div>
  );
}
