import { Marked, type Token, type Tokens } from 'marked';
import type { ExampleRequest } from '@/lib/entry/openapi/samples';
import { type CodeBlock, type CodeTexts, readCodeBlock, renderCode, renderTabs } from './code-blocks';
import { escapeHtml } from './escape';

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
}

interface MarkdownOptions {
  readonly texts: CodeTexts & Readonly<Record<'note' | 'tip' | 'warning', string>>;
  readonly address: (href: string) => string;
  /**
   * For a page of the API reference: its example requests by their request lines. Each section has its code in a part of its own, which
   * wide screens show beside the text. Links to sections of other pages have anchors, so that earlier addresses of the sections lead there.
   */
  readonly reference?: ReadonlyMap<string, ExampleRequest> | undefined;
}

/** A paragraph that is only the method and the path of an operation. */
const OPERATION = /^`(GET|POST) (\/[\w/{}.]+)`$/;
const ALERT = /^\[!(NOTE|TIP|WARNING)\]\n?/;

/** Returns the anchor of a heading, as GitHub forms it. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Renders Markdown to HTML: headings with anchors, consecutive labelled code blocks as tabs, notes, diagrams, and tables for phones. */
export function renderMarkdown(source: string, { texts, address, reference }: MarkdownOptions): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = text.replaceAll('`', '');
        const id = slugOf(plain);
        const inner = this.parser.parseInline(tokens);
        // Small headings, for example "Errors" of each operation, repeat and have no anchor.
        if (depth > 3) return `<h${depth}>${inner}</h${depth}>\n`;
        headings.push({ depth, text: plain, id });
        return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const [, anchor] = (reference && /^api\/\w+\.md#(.+)$/.exec(href)) || [];
        const id = anchor === undefined ? '' : ` id="${anchor}"`;
        return `<a${id} href="${escapeHtml(address(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      paragraph({ text, tokens }) {
        const [, method, path = ''] = OPERATION.exec(text) ?? [];
        if (!method) return `<p>${this.parser.parseInline(tokens)}</p>\n`;
        return `<p class="operation"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code></p>\n`;
      },
      code({ text, lang = '' }) {
        return lang === 'mermaid' ? renderSequence(text) : renderCode(readCodeBlock(lang, text), texts);
      },
      blockquote({ tokens, text }) {
        const [mark, kind = ''] = ALERT.exec(text) ?? [];
        if (mark === undefined) return `<blockquote>${this.parser.parse(tokens)}</blockquote>\n`;
        const name = kind.toLowerCase();
        const title = name === 'tip' ? texts.tip : name === 'warning' ? texts.warning : texts.note;
        const inner = this.parser.parse(marked.lexer(text.slice(mark.length)));
        return `<div class="alert ${name}"><p class="title">${escapeHtml(title)}</p>${inner}</div>\n`;
      },
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: string, role: string) =>
          row.map((cell, at) => {
            const label = tag === 'td' && row.length > 2 ? ` data-label="${escapeHtml(header[at]?.text.replaceAll('`', '') ?? '')}"` : '';
            return `<${tag} role="${role}"${label}>${this.parser.parseInline(cell.tokens)}</${tag}>`;
          });
        const head = `<tr role="row">${cells(header, 'th', 'columnheader').join('')}</tr>`;
        const body = rows.map((row) => `<tr role="row">${cells(row, 'td', 'cell').join('')}</tr>`).join('');
        // On phones, the style shows rows as blocks. The roles still tell screen readers that this is a table.
        return `<table role="table"><thead role="rowgroup">${head}</thead><tbody role="rowgroup">${body}</tbody></table>\n`;
      },
    },
  });
  const tokens = joinTabs(marked.lexer(source), texts);
  const html = reference
    ? sectionsOf(tokens)
        .map((section) => renderSection(section, reference))
        .join('')
    : marked.parser(tokens);
  const ids = headings.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`two headings have the anchor ${twice}`);
  return { html, headings };

  /** Renders a section of the API reference: first its text, then its code. */
  function renderSection(section: readonly Token[], requests: ReadonlyMap<string, ExampleRequest>): string {
    const isCode = (token: Token) => token.type === 'code' || token.type === 'html';
    const examples = section.filter(isCode);
    const text = marked.parser(section.filter((token) => !isCode(token)));
    if (section[0]?.type !== 'heading' || section[0].depth === 1) return text;
    const request = section.map((token) => requests.get(token.raw.trim().replaceAll('`', ''))).find(Boolean);
    const data = request ? ` data-request="${escapeHtml(JSON.stringify(request))}"` : '';
    const code = examples.length === 0 ? '' : `<div class="examples"${data}>${marked.parser(examples)}</div>`;
    return `<section><div class="about">${text}</div>${code}</section>`;
  }
}

/** Replaces consecutive code blocks with labels by one group of tabs. */
function joinTabs(tokens: readonly Token[], texts: CodeTexts): Token[] {
  const joined: Token[] = [];
  let group: CodeBlock[] = [];
  let groups = 0;
  const close = () => {
    const [only] = group;
    if (only && group.length === 1) joined.push(htmlToken(renderCode(only, texts)));
    else if (only) joined.push(htmlToken(renderTabs(group, `tabs${++groups}`, texts)));
    group = [];
  };
  for (const token of tokens) {
    const block = token.type === 'code' ? readCodeBlock(token.lang ?? '', token.text) : undefined;
    if (block?.label) group.push(block);
    else if (token.type !== 'space' || group.length === 0) {
      close();
      joined.push(token);
    }
  }
  close();
  return joined;
}

/** Splits a page into its sections. Each begins with a heading. */
function sectionsOf(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'heading') sections.push([]);
    sections.at(-1)?.push(token);
  }
  return sections;
}

function htmlToken(text: string): Tokens.HTML {
  return { type: 'html', raw: text, text: `${text}\n`, pre: false, block: true };
}

interface Message {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

const PARTICIPANT = /^participant (\w+) as (.+)$/;
const MESSAGE = /^(\w+)(-?->>)(\w+): (.+)$/;
const NOTE = /^Note over (\w+): (.+)$/;

/**
 * Renders a sequence diagram of Mermaid as an ordered list. Only participants, messages and notes are supported. On wide screens, the style
 * draws it as a diagram. Screen readers and narrow screens get the list.
 * @throws if a line is not understood
 */
function renderSequence(source: string): string {
  const participants = new Map<string, string>();
  const messages: Message[] = [];
  for (const line of source.split('\n').map((text) => text.trim())) {
    const [, id = '', name = ''] = PARTICIPANT.exec(line) ?? [];
    const [, from = '', , to = '', text = ''] = MESSAGE.exec(line) ?? [];
    const [, at = '', note = ''] = NOTE.exec(line) ?? [];
    if (id) participants.set(id, name);
    else if (from) messages.push({ from, to, text });
    else if (at) messages.push({ from: at, to: at, text: note });
    else if (line && line !== 'sequenceDiagram') throw new Error(`the diagram has a line that is not understood: ${line}`);
  }
  const ids = [...participants.keys()];
  if (ids.length > 3) throw new Error('the style draws diagrams with at most three participants');
  const items = messages.map((message) => renderMessage(message, ids, participants));
  const heads = [...participants.values()].map((name) => `<b>${escapeHtml(name)}</b>`).join('');
  return `<div class="sequence of${ids.length}"><div class="heads" aria-hidden="true">${heads}</div><ol>${items.join('')}</ol></div>`;
}

function renderMessage({ from, to, text }: Message, ids: readonly string[], names: ReadonlyMap<string, string>): string {
  const [start, end] = [ids.indexOf(from) + 1, ids.indexOf(to) + 1];
  if (start === 0 || end === 0) throw new Error(`the diagram has no participant ${start === 0 ? from : to}`);
  const name = (id: string) => escapeHtml(names.get(id) ?? id);
  const route = from === to ? name(from) : `${name(from)} <span aria-hidden="true">→</span><span class="unseen">⇒</span> ${name(to)}`;
  const direction = start === end ? 'note' : start < end ? 'right' : 'left';
  const span = `from${Math.min(start, end)} to${Math.max(start, end)}`;
  return `<li class="${direction} ${span}"><span class="route">${route}</span> <span class="says">${withCode(text)}</span></li>`;
}

/** Returns a text as HTML, with code between backticks. */
function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
