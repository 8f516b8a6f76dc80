'use client';

import { useEffect } from 'react';

const KEY = 'typed';

/** Keeps what is typed into a field while the tab is open, so that it survives a change of the language. Submitting the form forgets it. */
export function KeepTyped({ field: id }: { readonly field: string }) {
  useEffect(() => {
    const field = document.getElementById(id);
    if (!(field instanceof HTMLInputElement)) return;
    if (field.value === '') field.value = sessionStorage.getItem(KEY) ?? '';
    const keep = () => sessionStorage.setItem(KEY, field.value);
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
