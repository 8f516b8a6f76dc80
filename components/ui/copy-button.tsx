'use client';

import { useState } from 'react';

interface CopyButtonProps {
  readonly value: string;
  /** Says what is copied, for those who do not see what it stands beside. */
  readonly label: string;
  readonly copy: string;
  readonly copied: string;
}

/** Where the browser forbids copying, nothing happens: the text beside it selects itself on a click. */
export function CopyButton({ value, label, copy, copied }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  async function write(): Promise<void> {
    // Absent outside secure contexts, whatever the types say.
    if (!('clipboard' in navigator)) return;
    await navigator.clipboard.writeText(value).then(
      () => setDone(true),
      () => setDone(false),
    );
  }
  return (
    <button
      type="button"
      aria-label={done ? copied : label}
      onClick={write}
      className="min-h-9 cursor-pointer rounded-lg border border-edge bg-surface px-3 text-sm font-semibold text-brand"
    >
      {done ? copied : copy}
    </button>
  );
}
