import { escapeHtml } from './escape';

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
export function renderSequence(source: string): string {
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
