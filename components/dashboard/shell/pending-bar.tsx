'use client';

import { useEffect, useState } from 'react';

/**
 * A progress bar from the click on a link until the next page is shown. Browsers show nothing while Next.js loads a page. `mark` must
 * change with each answer of the server.
 */
export function PendingBar({ mark }: { readonly mark: string }) {
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      // If Next.js handles a link, it prevents the browser's default action.
      if (event.defaultPrevented && event.target instanceof Element && event.target.closest('a[href]')) setLeft(mark);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [mark]);
  return left === mark && <div data-shown="pending" className="fixed inset-x-0 top-0 z-50 h-1 origin-left animate-pending bg-brand" />;
}
