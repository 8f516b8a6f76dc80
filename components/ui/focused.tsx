'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** Content that gets the focus when it appears, so that screen readers read it. */
export function Focused({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} tabIndex={-1} aria-label={label} className="grid gap-4 outline-none">
      {children}
    </section>
  );
}
