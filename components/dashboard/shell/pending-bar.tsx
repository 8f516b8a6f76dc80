'use client';

import { useEffect, useState } from 'react';

/**
 * A progress bar from the click on a link until the next page is shown. While Next.js loads a page, browsers show no progress of their own.
 * @param props.mark a text that differs in each answer of the server. The bar disappears when it changes.
 */
export function PendingBar({ mark }: { readonly mark: string }) {
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      // A prevented default action means that Next.js loads the page of the clicked link.
      if (event.defaultPrevented && event.target instanceof Element && event.target.closest('a[href]')) setLeft(mark);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [mark]);
  return left === mark && <div data-shown="pending" className="fixed inset-x-0 top-0 z-50 h-1 origin-left animate-pending bg-brand" />;
}
