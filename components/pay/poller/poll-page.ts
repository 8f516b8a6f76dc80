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

/** The data attributes that the server writes: the version of the content, the pace of polling and the address of the page. */
const NAMES = ['version', 'pace', 'here'] as const;
const facts = document.documentElement.dataset;
/** The number of requests since the content changed, the customer returned to the page, or the customer clicked on "Check again". */
let polls = 0;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let countdown: ReturnType<typeof setInterval> | undefined;
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
      .then((version) => (version === facts.version ? undefined : get(here).then((html) => show(html))))
      .then(() => plan(), plan);
}

async function get(url: string): Promise<string> {
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok) throw response;
  return response.text();
}

/** Sends the form. If no page comes back within 20 seconds, the page says that the form was not sent, and keeps it. */
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
      show(html, true);
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

/** Replaces the content by that of a newer page. After a form was sent, the focus moves to the heading, or to the field with an error. */
function show(html: string, sent = false): void {
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
  if (sent || hadFocus) focusLike(sent ? null : active);
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

function find<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E | null {
  return root.querySelector<E>(selector);
}

/** Returns an element that every payment page has. */
function need(selector: string, root?: ParentNode): HTMLElement {
  const element = find(selector, root);
  if (!element) throw selector;
  return element;
}

/**
 * Shows how much time is left to answer the prompt, instead of the time of day when it expires. The ring around the picture of a phone
 * becomes shorter with the time that is left. At the end it turns, because only the network's answer decides then. Measures the time by `performance.now()`, because the clock of the device may be wrong.
 */
function showCountdown(): void {
  clearInterval(countdown);
  const left = find('#left');
  const label = find('#by');
  if (!left || !label) return;
  const end = performance.now() + Number(left.dataset.ms);
  const ring = find<SVGElement>('#ring');
  label.textContent = label.dataset.left || '';
  const tick = () => {
    const ms = Math.max(0, end - performance.now());
    const seconds = Math.ceil(ms / 1e3);
    left.textContent = ms ? `${Math.floor(seconds / 60)}:${`0${seconds % 60}`.slice(-2)}` : '';
    if (ring) ring.style.strokeDashoffset = `${100 - (100 * ms) / Number(left.dataset.of)}`;
    if (ms) return;
    clearInterval(countdown);
    label.textContent = label.dataset.over || '';
    if (ring) ring.setAttribute('class', 'turn');
  };
  tick();
  countdown = setInterval(tick, 1e3);
}

/**
 * Shows the network of the typed number instead of the example of a number, and puts the typed amount on the button. Before the fourth digit
 * there is no network to change.
 */
function showTyped(): void {
  const field = find<HTMLInputElement>('#mobile');
  const net = find<HTMLDetailsElement>('#net');
  if (!field || !net || !field.form) return;
  const digits = field.value.replace(/\D/g, '');
  const chosen = find<HTMLInputElement>('[name=network]:checked')?.value;
  const [, prefix = '-'] = /^(?:00)?(?:255)?0?([67]\d)/.exec(digits) || [];
  const [, network = ''] = new RegExp(`(\\w+):[^;]*${prefix}`).exec(field.form.dataset.prefixes || '') || [];
  const name = find(`#net-${chosen || network || 'none'} + *`);
  if (name) need('#guess').innerHTML = name.innerHTML;
  need('#known').hidden = !name;
  need('#choose').hidden = !!name;
  net.hidden = !name && !digits[3] && !net.open;
  const hint = find('#hint');
  if (hint) hint.hidden = !net.hidden;
  const amount = find<HTMLInputElement>('#amount');
  const button = find('#pay');
  if (amount && button && /^\d[\d,]*$/.test(amount.value)) button.textContent = (button.dataset.pay || '').replace('#', amount.value);
}

/** Groups the digits in a field while the customer types: `0712 345 678` and `12,500`. Does not change numbers in other formats. */
function groupTyped({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.selectionEnd !== target.value.length) return;
  const digits = target.value.replace(/[ ,]/g, '');
  if (/\D/.test(digits)) return;
  if (target.id === 'amount') target.value = digits.replace(/\B(?=(\d{3})+$)/g, ',');
  if (target.id === 'mobile' && /^0\d{3,9}$/.test(digits)) target.value = digits.replace(/^(.{4})(.{1,3})/, '$1 $2 ').trim();
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
  if (!(target instanceof Element)) return true;
  // The button that unfolds a form disappears.
  const opener = target.closest('summary.button');
  if (opener) setTimeout(() => need('input:not([type=hidden]),button', opener.parentElement || opener).focus());
  if (target.id !== 'again') return true;
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

// Makes the file a module, so that its names are its own.
export {};
