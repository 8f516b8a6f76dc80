import { Marked, type Token, type Tokens } from 'marked';
import { type CodeBlock, type CodeTexts, readCodeBlock, renderCode, renderTabs } from './code-blocks';
import { escapeHtml } from './escape';
import { renderSequence } from './sequence';

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
  /** Returns the address of a link. */
  readonly address: (href: string) => string;
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
export function renderMarkdown(source: string, { texts, address }: MarkdownOptions): RenderedMarkdown {
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
        return `<a href="${escapeHtml(address(href))}">${this.parser.parseInline(tokens)}</a>`;
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
  const html = marked.parser(joinTabs(marked.lexer(source), texts));
  const ids = headings.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`two headings have the anchor ${twice}`);
  return { html, headings };
}

/** Replaces consecutive code blocks with labels by one group of tabs. */
function joinTabs(tokens: readonly Token[], texts: CodeTexts): Token[] {
  const joined: Token[] = [];
  let group: CodeBlock[] = [];
  let groups = 0;
  const close = () => {
    if (group.length > 0) joined.push(htmlToken(renderTabs(group, `tabs${++groups}`, texts)));
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

function htmlToken(text: string): Tokens.HTML {
  return { type: 'html', raw: text, text: `${text}\n`, pre: false, block: true };
}
