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
