'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** Takes the focus when it appears: what somebody did is answered where they are, and read out. */
export function Focused({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} tabIndex={-1} aria-label={label} className="grid gap-4 outline-none">
      {children}
    </section>
  );
}
