import { isUuid } from '@/lib/core/ids';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { actorName } from './actor-name';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Values that only programs can read. The export contains them. */
const UNREADABLE: readonly string[] = ['calls', 'outcomes', 'rowsHash'];

/** Pure. Returns whether a value means something to a reader. Ids, hashes and empty values do not. */
export function isReadable(key: string, value: unknown): boolean {
  if (UNREADABLE.includes(key) || isEmpty(value)) return false;
  return !(typeof value === 'string' && isUuid(value));
}

/** Pure. Returns whether a value is an instant in the format of audit entries. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value);
}

/** Pure. Returns a value in words: instants in East Africa Time, amounts in shillings. `key` is the value's name in the entry. */
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

/** Returns whether a value is an amount in senti. Entries store amounts as text. */
function isSenti(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value);
}
