import type { ReactNode } from 'react';

/** A history line with its details. */
export function EntryLine({
  title,
  badge,
  children,
}: {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <strong>{title}</strong>
        {badge}
      </p>
      {children}
    </>
  );
}
