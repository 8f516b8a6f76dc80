import { isDeepStrictEqual } from 'node:util';
import { INVISIBLE } from '@/lib/core/text';
import { billIn } from './body-candidates';
import { bare, type Finding } from './finding';
import { jsonChanges } from './json-changes';
import { parseJson } from './json-text';
import { DAMAGES, decodeAny } from './text-damage';

/** Lengths of an excerpt's parts before the first difference (BEFORE) and from the first difference on (AFTER), in bytes or characters. */
const BEFORE = 12;
const AFTER = 20;

/** Returns how the received body differs from the sent one, always with the position. Empty if they are equal. */
export function bodyChanges(sent: Uint8Array, received: Uint8Array): Finding[] {
  const position = firstDifference(sent, received);
  if (position === null) return [];
  const shown = { sent: excerpt(sent, position), received: excerpt(received, position) };
  const where: Finding = { code: 'body_differs', data: { position: position + 1, ...shown } };
  if (received.length === 0) return bare('body_empty');
  const problems = checkRawBody(received);
  return problems.length > 0 ? [...problems, where] : [...textChanges(sent, received), where];
}

/** Returns the problems that are visible in the received body alone: it is empty, or it is a printed object instead of JSON. */
export function checkRawBody(received: Uint8Array): Finding[] {
  if (received.length === 0) return bare('body_empty');
  const text = decodeAny(received).text.trimStart();
  return /^(\[object Object\]|Array\b|map\[|\{\s*('|\w+:|"\w+"\s*=>|:?\w+\s*=>))/.test(text) ? bare('body_printed_object') : [];
}

function textChanges(sentBytes: Uint8Array, receivedBytes: Uint8Array): Finding[] {
  const sent = decodeAny(sentBytes).text;
  const { text: received, utf8 } = decodeAny(receivedBytes);
  const found: Finding[] = [
    ...(!utf8 && decodeAny(sentBytes).utf8 ? bare('body_not_utf8') : []),
    ...(received.includes('\ufffd') && !sent.includes('\ufffd') ? bare('body_characters_lost') : []),
  ];
  let text = received;
  for (const { code, undo } of DAMAGES) {
    const repaired = undo(text);
    if (repaired === text || !isCloser(repaired, text, sent)) continue;
    if (code === 'body_mojibake') found.push({ code, data: excerptsAround(repaired, text) });
    else found.push(...bare(code));
    text = repaired;
  }
  if (text === sent) return found;
  if (text === sent.trim()) return [...found, ...bare('body_trimmed')];
  if (sameData(text, sent)) return [...found, ...bare('body_reserialized'), ...jsonChanges(sent, text)];
  return [...found, ...otherData(sent, text)];
}

/**
 * Returns whether the repair of a damage has made a text more similar to the sent text: the repaired text is equal to the sent text,
 * contains the same data, or has a longer equal start.
 * @param text the text before the repair.
 */
function isCloser(repaired: string, text: string, sent: string): boolean {
  if (repaired === sent) return true;
  if (sameData(repaired, sent) && (!sameData(text, sent) || (repaired === text.trim() && sent === sent.trim()))) return true;
  return commonLength(repaired, sent) > commonLength(text, sent);
}

function otherData(sent: string, received: string): Finding[] {
  const [ours, theirs] = [billIn(sent), billIn(received)];
  if (!ours || !theirs) return [];
  if (ours.id !== theirs.id || ours.status !== theirs.status) return bare('body_of_another_delivery');
  return ours.reference !== theirs.reference && ours.reference.trim() === theirs.reference ? bare('body_values_trimmed') : [];
}

function sameData(a: string, b: string): boolean {
  const parsed = parseJson(a);
  return parsed !== undefined && isDeepStrictEqual(parsed, parseJson(b));
}

function commonLength(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return index;
}

/** Returns excerpts of two texts around the first character that differs. */
function excerptsAround(sent: string, received: string): { sent: string; received: string } {
  const from = Math.max(0, commonLength(sent, received) - BEFORE);
  return {
    sent: escapeInvisible(sent.slice(from, from + BEFORE + AFTER)),
    received: escapeInvisible(received.slice(from, from + BEFORE + AFTER)),
  };
}

function firstDifference(a: Uint8Array, b: Uint8Array): number | null {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index += 1) if (a[index] !== b[index]) return index;
  return null;
}

function excerpt(bytes: Uint8Array, position: number): string {
  const from = characterStart(bytes, Math.max(0, position - BEFORE));
  const to = characterStart(bytes, Math.min(bytes.length, position + AFTER));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from, to));
  return `${from > 0 ? '…' : ''}${escapeInvisible(text)}${to < bytes.length ? '…' : ''}`;
}

function characterStart(bytes: Uint8Array, position: number): number {
  let start = position;
  while (start > 0 && position - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** Writes line breaks and other invisible characters as escapes. */
function escapeInvisible(text: string): string {
  const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const escaped = (unit: string) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(INVISIBLE, (character) => character.split('').map(escaped).join(''));
}
