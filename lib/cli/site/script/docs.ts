import { enableSearch } from './search';

const KEY = 'bili-docs-language';

function choose(label: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.tabs input')) if (input.value === label) input.checked = true;
}

/** Selects the programming language that the reader chose before. */
function fillTabs(): void {
  const chosen = readChoice();
  if (chosen !== null) choose(chosen);
}

/** Selects a language in all groups of tabs, and stores it. The tab that was clicked stays where it is on the screen. */
function rememberTab(input: HTMLInputElement): void {
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

const SHOWN_MS = 2_000;

/** Copies the code beside a button. The button then shows for a moment that the code was copied. */
async function copyCode(button: HTMLButtonElement): Promise<void> {
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

/** What the product knows about the reader's sandbox key: the answer of the route `/account/sandbox-key`. */
interface SandboxKey {
  readonly merchant: string;
  readonly keyId: string | null;
  readonly keysPath: string;
  readonly createPath: string | null;
}

const ADDRESS = '/account/sandbox-key';

/**
 * Puts the sandbox key of a reader who is signed in into the examples. Offers to create a key if the reader may do that. All other readers
 * see the link to sign in.
 */
async function fillKey(): Promise<void> {
  const place = document.querySelector<HTMLElement>('.your-key');
  if (!place) return;
  // People are signed in only at the live address. At the sandbox address, this request is redirected to the live address. The redirect is
  // not followed, so the reader sees the link to sign in.
  const answer = await fetch(ADDRESS, { redirect: 'manual' });
  const key: SandboxKey | null = answer.ok ? await answer.json() : null;
  if (!key) return;
  if (key.keyId !== null) fill('YOUR_KEY_ID', key.keyId);
  const text = (key.keyId === null ? place.dataset.none : place.dataset.own)?.replace('{merchant}', key.merchant) ?? '';
  place.replaceChildren(`${text} `, key.createPath === null ? keysLink(place, key) : createButton(place, key.createPath));
}

function keysLink({ dataset }: HTMLElement, { keysPath }: SandboxKey): HTMLElement {
  const link = document.createElement('a');
  link.href = keysPath;
  link.textContent = dataset.keys ?? '';
  return link;
}

function createButton(place: HTMLElement, path: string): HTMLElement {
  const { dataset } = place;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = dataset.create ?? '';
  button.addEventListener('click', async () => {
    button.disabled = true;
    const answer = await fetch(path, { method: 'POST' });
    if (!answer.ok) {
      place.textContent = dataset.failed ?? '';
      return;
    }
    const { id, secret }: { readonly id: string; readonly secret: string } = await answer.json();
    fill('YOUR_KEY_ID', id);
    fill('YOUR_SECRET', secret);
    place.textContent = dataset.created ?? '';
  });
  return button;
}

function fill(name: string, value: string): void {
  for (const mark of document.querySelectorAll(`[data-fill=${name}]`)) mark.textContent = value;
}

// Everything here is an extra: the pages can be read without JavaScript.
fillTabs();
enableSearch();
void fillKey();
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('button.copy') : null;
  if (button) void copyCode(button);
  // Errors and objects have the same anchors in both languages, so the link to the other language can lead to the same section.
  const language = target instanceof Element ? target.closest<HTMLAnchorElement>('a.lang') : null;
  if (language) language.hash = location.hash;
});
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.closest('.tabs')) rememberTab(target);
});
