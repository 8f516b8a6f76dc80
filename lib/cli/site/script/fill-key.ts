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
export async function fillKey(): Promise<void> {
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
