/**
 * The optional script of the pages for signing in, which the build minifies into an inline script. It shows and hides typed passwords (WCAG
 * 2.2, 3.3.8), keeps a typed e-mail address while the language changes, sends no form twice, and asks before somebody signs out while bills
 * on this device are not sent yet.
 */
const RESEND_MS = 8_000;
let sent = 0;

for (const button of document.querySelectorAll<HTMLButtonElement>('.show')) {
  const input = button.previousElementSibling;
  const [word] = button.childNodes;
  if (!(input instanceof HTMLInputElement) || !word) continue;
  const show = word.nodeValue;
  const turn = (shown: boolean) => {
    input.type = shown ? 'text' : 'password';
    word.nodeValue = (shown && button.dataset.hide) || show;
  };
  button.hidden = false;
  button.onclick = () => turn(input.type === 'password');
  // Browsers store the value of an ordinary text field in their form history, so the password is hidden before the form is sent.
  input.form?.addEventListener('submit', () => turn(false));
}

const KEY = 'typed';
const email = document.querySelector<HTMLInputElement>('[data-keep]');
try {
  if (email) {
    const keep = () => sessionStorage.setItem(KEY, email.value);
    if (email.value === '') email.value = sessionStorage.getItem(KEY) ?? '';
    else keep();
    email.oninput = keep;
    email.form?.addEventListener('submit', () => sessionStorage.removeItem(KEY));
  }
} catch {
  // The browser forbids storage.
}

function hasKept(prefix: string): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(prefix));
  } catch {
    // The browser forbids storage, so there is nothing in it.
    return false;
  }
}

document.addEventListener('submit', (event) => {
  const { target } = event;
  if (!(target instanceof HTMLFormElement)) return;
  const { kept, unsent } = target.dataset;
  if (kept && hasKept(kept)) {
    if (!confirm(unsent)) return event.preventDefault();
    target.action += '?keep=1';
  }
  if (Date.now() < sent + RESEND_MS) event.preventDefault();
  else sent = Date.now();
});
// The browser shows the same document again after "back".
addEventListener('pageshow', () => {
  sent = 0;
});
