const SHOWN_MS = 2_000;

/** Copies the code beside a button. The button then shows for a moment that the code was copied. */
export async function copyCode(button: HTMLButtonElement): Promise<void> {
  const blocks = [...(button.closest('.code')?.querySelectorAll('pre') ?? [])];
  const shown = blocks.find((block) => block.offsetParent !== null);
  if (!shown) return;
  const label = button.textContent;
  if (!(await writeClipboard(shown))) return;
  button.textContent = button.dataset.copied ?? label;
  button.disabled = true;
  setTimeout(() => {
    button.textContent = label;
    button.disabled = false;
  }, SHOWN_MS);
}

/** Without https, browsers have no clipboard: then the code is selected, so that the reader can copy it. */
async function writeClipboard(block: HTMLElement): Promise<boolean> {
  if ('clipboard' in navigator) {
    await navigator.clipboard.writeText(block.innerText);
    return true;
  }
  getSelection()?.selectAllChildren(block);
  return false;
}
