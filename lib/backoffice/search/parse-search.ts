import { readAmount } from '@/lib/backoffice/bill-list/bill-query';
import { findUuid, parseCodeStart, parseShortCode } from '@/lib/platform/core/ids';
import { readMobile } from '@/lib/platform/core/mobile';
import { fold } from './fold';
import { FRAGMENT_MIN, type FragmentKind } from './search-entry';
import type { Lookup } from './search-store';

const TEXT_MAX = 255;

/** What a typed text may mean: each possible meaning is searched. */
export interface ParsedSearch {
  /** The look-ups that need no search entries: each finds an exact value, or the beginning of a value, in an index of another table. */
  readonly lookups: readonly { readonly lookup: Lookup; readonly text: string | bigint }[];
  /** The folded fragments to search for in search entries. */
  readonly fragments: readonly { readonly kind: FragmentKind; readonly fragment: string }[];
}

export function parseSearch(typed: string): ParsedSearch {
  const text = typed.trim();
  if (text === '' || text.length > TEXT_MAX || !text.isWellFormed() || /\p{Cc}/u.test(text)) return { lookups: [], fragments: [] };
  const linked = [...linkedLookups(text)];
  // A pasted link means only the bill to which it leads.
  if (linked.length > 0 && text.includes('/')) return { lookups: linked, fragments: [] };
  return { lookups: [...linked, ...lookupsOf(text)], fragments: [...fragmentsOf(text)] };
}

/** The code in the address of a short link or of a receipt's check. */
const LINK_CODE = /(?:\/p\/|[?&]code=)([^/?#&\s]+)/;

/** The look-ups by an id or a code of a link, alone or in a pasted link, with the full stop or bracket of the sentence around it. */
function* linkedLookups(text: string): Generator<ParsedSearch['lookups'][number]> {
  const id = findUuid(text);
  if (id !== null) yield { lookup: 'id', text: id };
  const [, inLink] = LINK_CODE.exec(text) ?? [];
  const code = parseShortCode(inLink ?? text);
  if (code === null) return;
  yield { lookup: 'link', text: code };
  if (inLink !== undefined) yield { lookup: 'code', text: code };
}

function* lookupsOf(text: string): Generator<ParsedSearch['lookups'][number]> {
  const code = text.toUpperCase();
  yield { lookup: 'reference', text };
  if (/^[A-Z0-9]{20}$/.test(code)) yield { lookup: 'payment', text: code };
  // Most providers write receipt numbers in capital letters.
  for (const receipt of new Set([text, code])) yield { lookup: 'receipt', text: receipt };
  const number = text.replaceAll(' ', '');
  if (/^\d{4,20}$/.test(number)) yield { lookup: 'number', text: number };
  const mobile = readMobile(text);
  if (mobile !== null) yield { lookup: 'mobile', text: mobile };
  const amount = readAmount(text) ?? readAmount(text.replaceAll(',', ''));
  if (amount !== null && amount > 0n) yield { lookup: 'amount', text: amount };
  const start = parseCodeStart(text);
  if (start !== null) yield { lookup: 'code', text: start };
  if (isFragment(fold(text))) return;
  // Phone keyboards change the case of letters. So references are searched that begin with the text as it was typed, with the text in
  // capital letters, or with the text with only its first letter as a capital.
  const [first = '', ...rest] = text;
  for (const prefix of new Set([text, code, first.toUpperCase() + rest.join('').toLowerCase()])) {
    yield { lookup: 'prefix', text: `${prefix.replace(/[\\%_]/g, '\\$&')}%` };
  }
}

function* fragmentsOf(text: string): Generator<ParsedSearch['fragments'][number]> {
  const fragment = fold(text);
  if (!isFragment(fragment)) return;
  const digits = /^\d+$/.test(fragment) ? readNumberPart(text, fragment) : null;
  if (digits !== null) yield { kind: 'mobile', fragment: digits };
  yield { kind: 'text', fragment };
  yield { kind: 'receipt', fragment };
}

const isFragment = (folded: string) => [...folded].length >= FRAGMENT_MIN;

const NUMBER_LENGTH = 10;

/**
 * Returns the digits of a mobile number or of a part of one, with `0` for `+255`. Null if there are too few digits, or more than a number
 * has.
 */
function readNumberPart(text: string, digits: string): string | null {
  // In a part of a number, 255 is a country code only after `+` or `00`. Otherwise the digits may be the end of a number.
  const international = digits.length >= NUMBER_LENGTH || /^(\+|00)/.test(text);
  const national = international ? digits.replace(/^(00)?2550?/, '0') : digits;
  return national.length <= NUMBER_LENGTH && national.length >= FRAGMENT_MIN ? national : null;
}
