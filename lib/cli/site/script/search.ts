const RESULTS_MAX = 12;
const EXCERPT = 90;

/** Lets readers search. The index is loaded when the field gets the focus. */
export function enableSearch(): void {
  const form = document.querySelector<HTMLFormElement>('.search');
  const input = form?.querySelector('input');
  const panel = document.querySelector<HTMLElement>('#results');
  if (!form || !input || !panel) return;
  let sections: Promise<readonly Section[]> | undefined;
  const load = () => (sections ??= fetch(form.dataset.index ?? '').then((answer) => (answer.ok ? answer.json() : [])));
  const show = async () => {
    const typed = input.value;
    const found = typed.trim() === '' ? [] : findSections(await load(), typed).slice(0, RESULTS_MAX);
    if (typed === input.value) render(form, panel, found, typed.trim());
  };
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    panel.querySelector('a')?.click();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) panel.hidden = true;
  });
  input.addEventListener('focus', () => {
    panel.hidden = input.value.trim() === '';
  });
  document.addEventListener('keydown', (event) => onKey(event, input, panel));
  // The reader may have typed before this script was there.
  if (document.activeElement === input) void show();
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, panel: HTMLElement): void {
  const { key } = event;
  if (panel.hidden) return;
  const links = [...panel.querySelectorAll<HTMLElement>('a')];
  const at = document.activeElement instanceof HTMLElement ? links.indexOf(document.activeElement) : -1;
  if (key === 'Escape') {
    panel.hidden = true;
    input.focus();
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault();
    const next = at + (key === 'ArrowDown' ? 1 : -1);
    if (next < 0) input.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  }
}

function render(form: HTMLFormElement, panel: HTMLElement, found: readonly Section[], typed: string): void {
  panel.hidden = typed === '';
  const status = panel.querySelector('p');
  if (status) status.textContent = found.length > 0 ? `${form.dataset.found} ${found.length}` : (form.dataset.none ?? '');
  panel.querySelector('ol')?.replaceChildren(...found.map((section) => resultItem(section, typed)));
}

function resultItem([address, page, heading, text]: Section, typed: string): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  const title = document.createElement('span');
  title.append(...marked(heading === '' ? page : `${page} › ${heading}`, typed));
  const small = document.createElement('small');
  small.append(...marked(excerpt(text, typed), typed));
  link.append(title, small);
  item.append(link);
  return item;
}

/** Returns the part of a text around the first typed word. */
function excerpt(text: string, typed: string): string {
  const [word = ''] = typed.toLowerCase().split(/\s+/);
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = at < EXCERPT / 2 ? 0 : text.lastIndexOf(' ', at - EXCERPT / 3) + 1;
  const end = start + EXCERPT;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Returns a text with the typed words marked. */
function marked(text: string, typed: string): Node[] {
  const words = typed.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return text.split(new RegExp(`(${words.join('|')})`, 'iu')).map((part, at) => {
    if (at % 2 === 0) return document.createTextNode(part);
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/** A section of a page: its address, the page's title, its heading, and its text. */
export type Section = readonly [address: string, page: string, heading: string, text: string];

const IN_HEADING = 12;
const IN_PAGE = 5;
const IN_TEXT = 1;

/**
 * Returns the sections with all typed words, best match first. A typed word matches the start of a word in the section. If no section has
 * all typed words, returns the sections with at least one of them.
 */
export function findSections(sections: readonly Section[], typed: string): Section[] {
  const words = normalize(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const scored = sections.map((section) => ({ section, scores: words.map((word) => score(section, word)) }));
  const all = scored.filter(({ scores }) => scores.every((one) => one > 0));
  const found = all.length > 0 ? all : scored.filter(({ scores }) => scores.some((one) => one > 0));
  return found.sort((a, b) => sum(b.scores) - sum(a.scores)).map(({ section }) => section);
}

function score([, page, heading, text]: Section, word: string): number {
  return (
    contains(heading, word) * IN_HEADING + contains(page, word) * (heading === '' ? IN_HEADING : IN_PAGE) + contains(text, word) * IN_TEXT
  );
}

/** Returns 2 for a whole word, 1 for the start of a word, 0 otherwise. */
function contains(text: string, word: string): number {
  const normal = ` ${normalize(text)} `;
  if (normal.includes(` ${word} `)) return 2;
  return normal.includes(` ${word}`) ? 1 : 0;
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
