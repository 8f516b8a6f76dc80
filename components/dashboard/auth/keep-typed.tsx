'use client';

import { useEffect } from 'react';

const KEY = 'typed';

/**
 * Stores the typed text of a field in the tab, so that the text is still there after a change of the language, which loads the page again.
 * Submitting the form deletes the stored text.
 */
export function KeepTyped({ field: id }: { readonly field: string }) {
  useEffect(() => {
    const field = document.getElementById(id);
    if (!(field instanceof HTMLInputElement)) return;
    const keep = () => sessionStorage.setItem(KEY, field.value);
    // On a slow connection, people type before this script has loaded. Then the field is not empty, and its text is not replaced.
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
