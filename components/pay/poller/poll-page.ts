/**
 * The optional script of the payment page, which the build minifies into one inline script. It polls the page's version, and replaces
 * the content when the version has changed. Typed values, the focus and unfolded sections are kept. A live region announces the new
 * heading.
 * It polls less and less often, pauses while the page is hidden, and continues when the page is visible or the device is online again. With
 * the pace `slow`, it polls every 15 seconds and stops after ten minutes. After two requests in a row without a connection, the page says
 * that the device is offline.
 * It sends the form itself, so that the page and what was typed stay if there is no connection. Sending again is safe: the server recognises
 * the form by its id.
 */
import { showCountdown } from './countdown';
import { find, need } from './elements';
import { groupTyped, showTyped } from './show-typed';

/** The data attributes that the server writes: the version of the content, the pace of polling and the address of the page. */
const NAMES = ['version', 'pace', 'here'] as const;
const facts = document.documentElement.dataset;
/** The number of requests since the content changed, the customer returned to the page, or the customer clicked on "Check again". */
let polls = 0;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let sending = false;

/** Plans the next request. @param failure the error of the last request, if it failed; a TypeError means that there was no connection. */
function plan(failure?: unknown): void {
  const slow = facts.pace === 'slow';
  failures = failure instanceof TypeError ? failures + 1 : 0;
  need('#off').hidden = failures < 2;
  fade('1');
  clearTimeout(timer);
  if (!document.hidden && facts.pace && !(slow && polls > 40))
    timer = setTimeout(poll, slow ? 15e3 : polls < 20 ? 2e3 : polls < 60 ? 5e3 : 2e4);
  polls += 1;
}

function poll(): void {
  clearTimeout(timer);
  const { here } = facts;
  if (here)
    get(`${here}&part=version`)
      .then((version) => (version === facts.version ? undefined : get(here).then(show)))
      .then(() => plan(), plan);
}

async function get(url: string): Promise<string> {
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok) throw response;
  return response.text();
}

/** Sends the form. If no answer comes within 20 seconds, the page says that the connection is missing, and keeps the form. */
function send(form: HTMLFormElement): void {
  const unsent = need('#unsent');
  if (sending) return;
  sending = true;
  form.style.opacity = '.5';
  unsent.hidden = true;
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), 2e4);
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, `${value}`);
  fetch(form.action, { method: 'POST', body, redirect: 'manual', signal: stop.signal })
    .then((answer) => (answer.type === 'opaqueredirect' ? get(facts.here || '') : answer.text()))
    .then((html) => {
      show(html);
      plan();
    })
    .catch(() => {
      unsent.hidden = false;
      unsent.scrollIntoView();
    })
    .then(() => {
      sending = false;
      form.style.opacity = '1';
      clearTimeout(late);
    });
}

/** Replaces the content by that of a newer page. */
function show(html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const old = need('main');
  const active = document.activeElement;
  const hadFocus = old.contains(active);
  for (const field of old.querySelectorAll<HTMLInputElement>('input[id]')) {
    const next = find<HTMLInputElement>(`#${field.id}`, page);
    if (!next) continue;
    next.checked = field.checked;
    if (field.value !== field.defaultValue) next.value = field.value;
  }
  for (const { id, open } of old.querySelectorAll('details')) {
    const next = find<HTMLDetailsElement>(`#${id}`, page);
    if (next && open) next.open = open;
  }
  old.replaceWith(need('main', page));
  for (const name of NAMES) facts[name] = page.documentElement.dataset[name] || '';
  document.title = page.title;
  if (hadFocus) focusLike(active);
  need('#say').textContent = need('h1').textContent;
  polls = 0;
  showCountdown();
  showTyped();
  focusWrong();
}

function focusWrong(): void {
  const wrong = find('[aria-invalid]');
  if (wrong) wrong.focus();
}

/**
 * Focuses the element with the same id as the element that had the focus before, with the same selection. Otherwise focuses the heading.
 */
function focusLike(active: Element | null): void {
  const next = active?.id ? find<HTMLInputElement>(`#${active.id}`) : null;
  (next || need('h1')).focus();
  if (next && active instanceof HTMLInputElement && /^te[lx]/.test(next.type))
    next.setSelectionRange(active.selectionStart, active.selectionEnd);
}

/** Shows on the link "Check again" whether a request is under way. */
function fade(opacity: string): void {
  const link = find('#again');
  if (link) link.style.opacity = opacity;
}

document.oninput = (event) => {
  groupTyped(event);
  showTyped();
};
document.onsubmit = ({ target }) => {
  if (target instanceof HTMLFormElement) send(target);
  return false;
};
document.onclick = ({ target }) => {
  if (!(target instanceof Element && target.id === 'again')) return true;
  fade('.5');
  polls = 0;
  failures = 1;
  poll();
  return false;
};
document.addEventListener('visibilitychange', () => {
  polls = 0;
  if (document.hidden) clearTimeout(timer);
  else poll();
});
window.ononline = poll;
window.onpageshow = ({ persisted }) => (persisted ? poll() : plan());
showCountdown();
showTyped();
focusWrong();
