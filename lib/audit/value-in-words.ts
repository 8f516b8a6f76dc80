import { isUuid } from '@/lib/core/ids';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { actorName } from './actor-name';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Names of things that programs alone can read: the export has them. */
const UNREADABLE: readonly string[] = ['calls', 'outcomes', 'rowsHash'];

/** Pure. @returns whether a value of an entry tells a reader something: ids and hashes do not, nor that there was nothing. */
export function isReadable(key: string, value: unknown): boolean {
  if (UNREADABLE.includes(key) || isEmpty(value)) return false;
  return !(typeof value === 'string' && isUuid(value));
}

/** Pure. @returns whether a value is an instant as entries have it. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value);
}

/** Pure. @param key what the value is named in the entry. @returns it in words: instants in East Africa Time, amounts in shillings. */
export function valueInWords(key: string, value: unknown, locale: Locale): string {
  const t = translator(locale, 'Audit');
  if (isEmpty(value)) return t('nothing');
  if (key === 'amount' && isSenti(value)) return formatMoney(BigInt(value));
  if (key === 'invitedBy' && typeof value === 'string') return actorName(value, locale);
  if (isInstant(value)) return formatInstant(new Date(value), locale);
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.map((one) => valueInWords(key, one, locale)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Entries have what is named an amount in senti, as a text. */
function isSenti(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value);
}
