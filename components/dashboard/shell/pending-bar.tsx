'use client';

import { useEffect, useState } from 'react';

/**
 * A bar at the top from the tap on a link until the next page is there, for slow networks: between pages of the dashboard the
 * browser shows nothing. @param mark another one for each answer of the server.
 */
export function PendingBar({ mark }: { readonly mark: string }) {
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      // A link that Next.js follows has kept the browser from following it.
      if (event.defaultPrevented && event.target instanceof Element && event.target.closest('a[href]')) setLeft(mark);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [mark]);
  return left === mark && <div data-shown="pending" className="fixed inset-x-0 top-0 z-50 h-1 origin-left animate-pending bg-brand" />;
}
