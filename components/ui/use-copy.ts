import { useState } from 'react';

/** How long a button says that it has copied. */
const SHOWN_MS = 2_000;

/** Returns whether the text was just copied, and a function that copies it. If the browser forbids copying, nothing happens. */
export function useCopy(text: string): readonly [boolean, () => Promise<void>] {
  const [done, setDone] = useState(false);
  async function copy(): Promise<void> {
    // `clipboard` is missing outside secure contexts, although its type says otherwise.
    if (!('clipboard' in navigator)) return;
    await navigator.clipboard.writeText(text).then(
      () => {
        setDone(true);
        window.setTimeout(() => setDone(false), SHOWN_MS);
      },
      () => setDone(false),
    );
  }
  return [done, copy];
}
