import { type ApiKey, type ExampleRequest, httpRequest, SAMPLES, SEND_PATH, writeCurl } from '@/lib/entry/openapi/samples';
import { highlight } from '../highlight';
import type { ReferenceTexts } from '../key-form';
import { indentJson } from './indent-json';

const STORED_KEY = 'bili-docs-key';
const STORED_BILL = 'bili-docs-bill';
/** Longer answers are cut. Only the description of the API is longer. */
const SHOWN_MAX = 50_000;
const COPIED_MS = 2_000;
/** The headers of answers that are shown. */
const HEADERS = ['X-Request-Id', 'Bili-Error', 'Bili-Ignored', 'Idempotency-Replayed', 'RateLimit', 'Retry-After'];

const ID = /\bbili_sandbox_key_[0-9A-Za-z]{22}\b/;
const SECRET = /\bbili_sandbox_secret_[0-9A-Za-z]{49}\b/;

// The storage of the tab. It is empty when the tab is closed, and no request contains it.
let key: ApiKey | undefined = readKey(readStored(STORED_KEY) ?? '');

function readStored(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}

/** Stores a value, or removes it. A browser that blocks storage keeps it until the page is left. */
function store(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Finds the two parts of a sandbox key in a text, for example in a header or in lines of variables. */
function readKey(text: string): ApiKey | undefined {
  const [id] = ID.exec(text) ?? [];
  const [secret] = SECRET.exec(text) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** A request of the page, which the reader can change. */
interface Try {
  readonly place: HTMLElement;
  /** The request with what the reader typed. */
  readonly request: () => ExampleRequest;
  /** The fields for the id of a bill. */
  readonly ids: readonly HTMLInputElement[];
  /** Gives the request a new Idempotency-Key, because another request has used the present one. */
  readonly renew: () => void;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

function coloured(code: string, language: string): (Node | string)[] {
  return highlight(code, language).flatMap(({ kind, text }) => {
    const parts = text.split(/(YOUR_KEY_ID|YOUR_SECRET)/).map((part, at) => (at % 2 === 0 ? part : element('mark', {}, part)));
    return kind === null ? parts : element('span', { class: kind }, ...parts);
  });
}

/** Writes the samples of a request again, with the reader's values and key. */
function writeSamples({ place, request }: Try, origin: string): void {
  const sent = httpRequest(request(), key);
  for (const { language, write } of SAMPLES) {
    place.querySelector(`.tabs code[data-language=${language}]`)?.replaceChildren(...coloured(write(sent, origin), language));
  }
}

function enableReference(form: HTMLFormElement): void {
  const { dataset } = form;
  const texts: ReferenceTexts = JSON.parse(dataset.texts ?? '{}');
  const [live = '', sandbox = ''] = dataset.servedAt?.split(' ') ?? [];
  const canSend = [live, sandbox].includes(location.origin);
  const input = form.querySelector('input');
  const status = form.querySelector('[role=status]');
  const remove = form.querySelector<HTMLElement>('.remove');
  if (!input || !status || !remove) return;

  const tries = [...document.querySelectorAll<HTMLElement>('[data-request]')].map(tryOf);
  const fillBill = () => {
    const bill = readStored(STORED_BILL);
    for (const { ids, renew } of tries) {
      const others = ids.filter(({ value }) => bill !== null && value !== bill);
      for (const field of others) field.value = bill ?? '';
      if (others.length > 0) renew();
    }
  };
  const show = () => {
    fillBill();
    for (const one of tries) writeSamples(one, sandbox);
    status.replaceChildren(...(key ? [`${texts.keyUsed} `, element('code', {}, key.id)] : []));
    remove.hidden = !key;
  };
  const refuse = (text: string) => {
    status.replaceChildren(text);
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  const use = () => {
    const typed = input.value;
    const read = readKey(typed);
    if (/\bbili_live_/.test(typed)) {
      input.value = '';
      return refuse(texts.keyLive);
    }
    if (!read) return refuse(texts.keyIncomplete);
    key = read;
    store(STORED_KEY, `${key.id}:${key.secret}`);
    input.value = '';
    input.removeAttribute('aria-invalid');
    show();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    use();
  });
  // A key that is pasted whole is used at once.
  input.addEventListener('paste', () => setTimeout(() => (/bili_live_/.test(input.value) || readKey(input.value) ? use() : undefined)));
  remove.addEventListener('click', () => {
    key = undefined;
    store(STORED_KEY, null);
    show();
    input.focus();
  });
  show();

  function tryOf(place: HTMLElement): Try {
    const example: ExampleRequest = JSON.parse(place.dataset.request ?? '{}');
    const fields = example.fields.map((field) => {
      const box = element('input', { autocomplete: 'off', spellcheck: 'false', value: field.value });
      return { ...field, box, label: element('label', {}, element('span', {}, element('code', {}, field.name)), box) };
    });
    const body = example.body === null ? null : element('textarea', { rows: String(example.body.split('\n').length), spellcheck: 'false' });
    if (body) body.value = example.body ?? '';
    const name = fields.find((field) => field.name === 'Idempotency-Key')?.box;
    const renew = () => {
      if (name) name.value = `try-${Math.random().toString(36).slice(2, 10)}`;
    };
    renew();
    const one: Try = {
      place,
      renew,
      ids: fields.filter((field) => field.in === 'path').map(({ box }) => box),
      request: () => ({
        ...example,
        fields: fields.map(({ box, ...field }) => ({ ...field, value: box.value.trim() })),
        body: body?.value ?? null,
      }),
    };
    // Without https, browsers have no clipboard.
    const canCopy = 'clipboard' in navigator;
    const copy = element('button', { type: 'button', class: 'quiet' }, texts.copyCurl);
    copy.addEventListener('click', () => void copyText(copy, writeCurl(httpRequest(one.request(), key), sandbox), texts));
    const inputs = [
      ...fields.map(({ label }) => label),
      ...(body ? [element('label', {}, element('span', {}, texts.requestBody), body)] : []),
    ];
    const result = element('div', { class: 'result' });
    const said = element('p', { role: 'status' });
    const made = element(
      'form',
      { class: 'try' },
      ...(inputs.length > 0 ? [element('details', {}, element('summary', {}, texts.edit), ...inputs)] : []),
      element('div', { class: 'buttons' }, ...(canSend ? [element('button', {}, texts.send)] : []), ...(canCopy ? [copy] : [])),
      said,
      result,
    );
    made.addEventListener('input', ({ target }) => {
      if (target !== name) renew();
      writeSamples(one, sandbox);
    });
    made.addEventListener('submit', (event) => {
      event.preventDefault();
      if (canSend) void send(one, made, said, result);
    });
    place.querySelector('.code')?.after(made);
    return one;
  }

  async function send({ request }: Try, made: HTMLFormElement, said: HTMLElement, result: HTMLElement): Promise<void> {
    const button = made.querySelector<HTMLButtonElement>('button:not([type])');
    const example = request();
    if (example.needsKey && !key) {
      said.textContent = texts.keyMissing;
      refuse(texts.keyMissing);
      return;
    }
    if (!button || button.disabled) return;
    button.disabled = true;
    said.textContent = texts.sending;
    const { method, path, headers, body } = httpRequest(example, key);
    const started = performance.now();
    try {
      // Only the header Authorization says who the reader is. The cookies of the dashboard are not sent.
      const answer = await fetch(example.needsKey ? SEND_PATH + path : path, {
        method,
        headers,
        body,
        credentials: 'omit',
        cache: 'no-store',
      });
      const text = await answer.text();
      const ms = Math.round(performance.now() - started);
      said.replaceChildren(`${texts.sent} ${answer.status} · ${ms} ms`, ...help(answer));
      const lines = HEADERS.flatMap((name) => (answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : []));
      const start = text.slice(0, SHOWN_MAX) + (text.length > SHOWN_MAX ? '…' : '');
      const shown = answer.headers.get('Content-Type')?.includes('json') ? indentJson(start) : start;
      const code = element('code', { translate: 'no' }, ...coloured(`${lines.join('\n')}\n\n`, 'http'), ...coloured(shown, 'json'));
      result.replaceChildren(element('div', { class: 'code' }, element('pre', { tabindex: '0' }, code)));
      if (answer.ok && path === '/api/v3/bills/create') keepBill(text);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      said.textContent = texts.noAnswer;
    } finally {
      button.disabled = false;
    }
  }

  function help(answer: Response): (Node | string)[] {
    const code = answer.headers.get('Bili-Error');
    return code === null ? [] : [`. ${texts.errorHelp} `, element('a', { href: `${dataset.errors}#${code}` }, code)];
  }

  /** The other operations then show the bill that the reader created. */
  function keepBill(answer: string): void {
    const { id }: { readonly id: string } = JSON.parse(answer);
    store(STORED_BILL, id);
    show();
  }
}

async function copyText(button: HTMLButtonElement, text: string, { copyCurl, copied }: ReferenceTexts): Promise<void> {
  await navigator.clipboard.writeText(text);
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = copyCurl;
  }, COPIED_MS);
}

/** Earlier versions had one page for all operations. Its addresses lead to the overview, whose link leads on to the operation. */
function followOldAddress(): void {
  const moved = document.getElementById(location.hash.slice(1));
  if (moved instanceof HTMLAnchorElement) location.replace(moved.href);
}

followOldAddress();
addEventListener('hashchange', followOldAddress);
const form = document.querySelector<HTMLFormElement>('.own-key');
if (form) enableReference(form);
