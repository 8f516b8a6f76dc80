/**
 * The script of the page of test phones, which the build minifies into an inline script. It asks for a newer page every second, plays a
 * sound when a prompt arrives, sends the forms without loading the page again, and makes the keypads work. When the page is closed, the
 * script notifies the server. From then on, the simulator answers prompts on these test phones itself again.
 */
const POLL_MS = 1000;
const page = document.documentElement;
page.classList.add('js');
const title = document.title;
let known = rings();
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let audio: AudioContext | undefined;

function find<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E | null {
  return root.querySelector<E>(selector);
}

function here(): string {
  return find('#phones')?.dataset.here ?? location.href;
}

/** Returns our references of the prompts that wait for an answer. */
function rings(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-ring]')].map((phone) => phone.dataset.ring ?? '');
}

function plan(): void {
  clearTimeout(timer);
  timer = setTimeout(poll, POLL_MS);
}

function poll(): void {
  ask(`${here()}&since=${page.dataset.version}`);
}

/** Sends a request, shows the page that it returns, and plans the next one. */
function ask(url: string, body?: URLSearchParams): void {
  clearTimeout(timer);
  fetch(url, body ? { method: 'POST', body } : { cache: 'no-store' })
    .then(async (response) => {
      failures = 0;
      // 204: nothing has changed. 404: the link is no longer valid. The reloaded page says so.
      if (response.status === 404) location.reload();
      else if (response.status === 200 || response.status === 422) show(await response.text());
    })
    .catch(() => {
      failures += 1;
    })
    .then(() => {
      const lost = find('#lost');
      if (lost) lost.hidden = failures < 2;
      plan();
    });
}

/** Replaces the phones by those of a newer page. Typed PINs and the focus are kept. */
function show(html: string): void {
  const newer = new DOMParser().parseFromString(html, 'text/html');
  const old = find('#phones');
  const next = find('#phones', newer);
  if (!old || !next) return;
  for (const field of old.querySelectorAll<HTMLInputElement>('input[id]')) {
    const same = find<HTMLInputElement>(`#${field.id}`, next);
    if (same) same.value = field.value;
  }
  const active = document.activeElement;
  const focused = active && old.contains(active) ? active.id : '';
  old.replaceWith(next);
  page.dataset.version = newer.documentElement.dataset.version;
  const now = rings();
  const fresh = now.find((reference) => !known.includes(reference));
  known = now;
  document.title = now.length > 0 ? `☎ ${find('#say')?.dataset.text} · ${title}` : title;
  if (focused) find(`#${focused}`)?.focus();
  if (fresh) ring(fresh);
  // When a prompt was answered, its menu disappears, and the focused element with it. Then the next PIN field or button gets the focus.
  if (active !== null && active !== document.body && !document.contains(active) && document.activeElement === document.body) {
    (find('[data-keys]') ?? find('#phones button:not(:disabled)'))?.focus();
  }
}

function ring(reference: string): void {
  const say = find('#say');
  if (say) say.textContent = `${say.dataset.text}: ${find(`#menu-${reference} p`)?.textContent}`;
  const active = document.activeElement;
  // The PIN field gets the focus, except while the person is typing into another field.
  if (!(active instanceof HTMLInputElement && active.type !== 'checkbox')) find(`#pin-${reference}`)?.focus();
  if ('vibrate' in navigator) navigator.vibrate([400, 200, 400]);
  if (find<HTMLInputElement>('#sound')?.checked) beep();
}

function beep(): void {
  audio ??= new AudioContext();
  for (const start of [0, 0.4, 1, 1.4]) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = start % 1 ? 620 : 480;
    gain.gain.value = 0.08;
    tone.connect(gain).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.3);
  }
}

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  if (!(target instanceof HTMLFormElement) || target.dataset.send === undefined) return;
  event.preventDefault();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(target)) if (typeof value === 'string') body.set(name, value);
  if (submitter instanceof HTMLButtonElement) body.set(submitter.name, submitter.value);
  ask(here(), body);
});

document.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'sound' && target.checked) beep();
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-key]') : null;
  const field = button && find<HTMLInputElement>('[data-keys]', button.closest('.phone') ?? undefined);
  if (!button || !field) return;
  const { key = '' } = button.dataset;
  field.value = key === 'erase' ? field.value.slice(0, -1) : `${field.value}${key}`.slice(0, field.maxLength);
});

// When the page is left, polling stops. If the person returns with the button "Back", the browser may show the old page without loading it:
// then `pageshow` starts polling again.
addEventListener('pagehide', () => {
  clearTimeout(timer);
  navigator.sendBeacon(here(), new URLSearchParams({ do: 'close' }));
});
addEventListener('pageshow', poll);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) poll();
});
find('[data-keys]')?.focus();
