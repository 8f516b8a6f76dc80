import type { ReactNode } from 'react';

/** Shown in place of an empty list, with what to do. */
export function EmptyState({ title, text, children }: { readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="px-2 py-8 text-center">
      <p className="text-lg font-bold">{title}</p>
      <p className="mx-auto mt-1 max-w-prose text-muted">{text}</p>
      {children && <div className="mt-4">{children}</div>}
    </div>
  );
}
