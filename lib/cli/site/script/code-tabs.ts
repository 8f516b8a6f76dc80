const KEY = 'bili-docs-language';

function choose(label: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.tabs input')) if (input.value === label) input.checked = true;
}

/** Selects the programming language that the reader chose before. */
export function fillTabs(): void {
  const chosen = readChoice();
  if (chosen !== null) choose(chosen);
}

/** Selects a language in all groups of tabs, and stores it. The tab that was clicked stays where it is on the screen. */
export function rememberTab(input: HTMLInputElement): void {
  const before = input.getBoundingClientRect().top;
  choose(input.value);
  window.scrollBy(0, input.getBoundingClientRect().top - before);
  try {
    localStorage.setItem(KEY, input.value);
  } catch (error) {
    // A browser that blocks storage remembers nothing.
    if (!(error instanceof DOMException)) throw error;
  }
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}
