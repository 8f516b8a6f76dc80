import { escapeHtml } from './escape';
import { highlight } from './highlight';

/** A fenced block of code. Its info string is the language and the label of its tab: `php PHP`. */
export interface CodeBlock {
  readonly language: string;
  /** The label of the tab. Empty if the block is not one of several tabs. */
  readonly label: string;
  readonly code: string;
}

export interface CodeTexts {
  readonly keySignIn: string;
  readonly keyOwn: string;
  readonly keyNone: string;
  readonly keyCreate: string;
  readonly keyCreated: string;
  readonly keyFailed: string;
  readonly keyPage: string;
  readonly copy: string;
  readonly copied: string;
  readonly languages: string;
}

const TITLES: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  json: 'JSON',
  http: 'HTTP',
  php: 'PHP',
  python: 'Python',
  js: 'Node',
  text: '',
};

/** Placeholders that the page fills in for a reader who is signed in. */
const PLACEHOLDERS = /YOUR_(?:KEY_ID|SECRET|WEBHOOK_SECRET)/g;

export function readCodeBlock(info: string, code: string): CodeBlock {
  const [language = '', ...label] = info.split(' ');
  return { language, label: label.join(' '), code };
}

/** Renders one block, with a button that copies it. The button needs JavaScript, and is hidden without it. */
export function renderCode({ language, label, code }: CodeBlock, texts: CodeTexts): string {
  const title = label || (TITLES[language] ?? language);
  return `<div class="code"><div class="bar"><span>${escapeHtml(title)}</span>${copyButton(texts)}</div>${pre(language, code)}</div>${code.includes('YOUR_KEY_ID') ? ownKey(texts) : ''}`;
}

/** Returns the line below a block with placeholders for a key: a link to sign in. For a reader who is signed in, the script replaces it. */
function ownKey(texts: CodeTexts): string {
  const data = {
    own: texts.keyOwn,
    none: texts.keyNone,
    create: texts.keyCreate,
    created: texts.keyCreated,
    failed: texts.keyFailed,
    keys: texts.keyPage,
  };
  const attributes = Object.entries(data).map(([name, text]) => ` data-${name}="${escapeHtml(text)}"`);
  return `<p class="your-key" role="status"${attributes.join('')}><a href="/sign-in">${escapeHtml(texts.keySignIn)}</a></p>`;
}

/** Renders blocks as tabs. They are radio buttons, so that they work without JavaScript. @param id unique in the page */
export function renderTabs(blocks: readonly CodeBlock[], id: string, texts: CodeTexts): string {
  const tabs = blocks.map(({ label }, at) => {
    const own = `${id}-${at}`;
    const checked = at === 0 ? ' checked' : '';
    return `<input type="radio" name="${id}" id="${own}" value="${escapeHtml(label)}"${checked}><label for="${own}">${escapeHtml(label)}</label>`;
  });
  const panels = blocks.map(({ language, code }) => `<div class="panel">${pre(language, code)}</div>`);
  return `<fieldset class="code tabs"><legend class="unseen">${escapeHtml(texts.languages)}</legend>${tabs.join('')}${copyButton(texts)}${panels.join('')}</fieldset>`;
}

function pre(language: string, code: string): string {
  const spans = highlight(code, language).map(({ kind, text }) => {
    const inner = escapeHtml(text);
    return kind === null ? inner : `<span class="${kind}">${inner}</span>`;
  });
  const html = spans.join('').replace(PLACEHOLDERS, (name) => `<mark data-fill="${name}">${name}</mark>`);
  return `<pre tabindex="0"><code translate="no" data-language="${language}">${html}</code></pre>`;
}

function copyButton({ copy, copied }: CodeTexts): string {
  return `<button type="button" class="copy" data-copied="${escapeHtml(copied)}">${escapeHtml(copy)}</button>`;
}
