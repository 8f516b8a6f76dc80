'use client';

import { useEffect } from 'react';

const KEY = 'typed';

/** Keeps what is typed into a field while the tab is open, so that it survives a change of the language. Submitting the form forgets it. */
export function KeepTyped({ field: id }: { readonly field: string }) {
  useEffect(() => {
    const field = document.getElementById(id);
    if (!(field instanceof HTMLInputElement)) return;
    const keep = () => sessionStorage.setItem(KEY, field.value);
    // On a slow line, people type before this script has loaded.
    if (field.value === '') field.value = sessionStorage.getItem(KEY) ?? '';
    else keep();
    const forget = () => sessionStorage.removeItem(KEY);
    field.addEventListener('input', keep);
    field.form?.addEventListener('submit', forget);
    return () => {
      field.removeEventListener('input', keep);
      field.form?.removeEventListener('submit', forget);
    };
  }, [id]);
  return null;
}
