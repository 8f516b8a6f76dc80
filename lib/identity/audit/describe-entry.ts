import { isUuid } from '@/lib/platform/core/ids';
import { isRecord } from '@/lib/platform/core/is-record';
import { isOperatedNetwork, WALLETS } from '@/lib/platform/core/network';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { ENGLISH, type Messages } from '@/lib/platform/i18n/messages';
import { translator } from '@/lib/platform/i18n/translator';
import { actorName } from './actor-name';

type ActionKey = keyof Messages['AuditAction'];
type FieldKey = keyof Messages['AuditField'];
type ValueKey = keyof Messages['AuditValue'];

/** Pure. Returns the message key of an action, or null if there is no message for it. */
export function actionKey(action: string): ActionKey | null {
  const key = keyOf(action);
  return isActionKey(key) ? key : null;
}

/** Returns a description of an action. An action without a message, for example of a newer version, is returned as it is. */
export function describeAction(action: string, locale: Locale): string {
  const key = actionKey(action);
  return key ? translator(locale, 'AuditAction')(key) : action;
}

/** Returns all actions for which there is a text, sorted by this text. Each action is identified by the key of its text. */
export function listActions(locale: Locale): { readonly action: string; readonly text: string }[] {
  const t = translator(locale, 'AuditAction');
  const keys = Object.keys(ENGLISH.AuditAction).filter(isActionKey);
  return keys.map((key) => ({ action: key, text: t(key) })).sort((a, b) => a.text.localeCompare(b.text, locale));
}

/** Returns the message key of an action: actions contain dots and hyphens, message keys do not. */
function keyOf(action: string): string {
  return action.replace(/[.-]/g, '_');
}

function isActionKey(key: string): key is ActionKey {
  return Object.hasOwn(ENGLISH.AuditAction, key);
}

function isFieldKey(key: string): key is FieldKey {
  return Object.hasOwn(ENGLISH.AuditField, key);
}

/** One fact of an entry: the value after the change and, if it is known, the value before. */
export interface Fact {
  readonly name: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Pure. Returns the data of an entry as facts in words, without values that people cannot read. In `data`, each of `before` and `after` is
 * one value, or several values by name. All other values of `data` are further facts.
 */
export function describeData(data: Readonly<Record<string, unknown>>, locale: Locale): Fact[] {
  const { before, after, ...rest } = data;
  const others = Object.entries(rest).filter(([key, value]) => isReadable(key, value));
  return [...differences(before, after, locale), ...others.map(([key, value]) => factOf(key, undefined, value, locale))];
}

/** Pure. Returns the id of the bill that an entry refers to, or null. */
export function billOf({
  action,
  subject,
  data,
}: {
  action: string;
  subject: string;
  data: Readonly<Record<string, unknown>>;
}): string | null {
  const id = action.startsWith('bill.') ? subject : data.bill;
  return typeof id === 'string' && isUuid(id) ? id : null;
}

function differences(before: unknown, after: unknown, locale: Locale): Fact[] {
  if (!isRecord(before) && !isRecord(after)) {
    // Instants are left out: the date of the entry already says when something was closed or paused.
    const known = after !== undefined && !isInstant(before) && !isInstant(after);
    return known ? [factOf('value', before, after, locale)] : [];
  }
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => isReadable(key, old[key]) || isReadable(key, now[key]))
    .map((key) => factOf(key, old[key], now[key], locale));
}

function factOf(key: string, before: unknown, after: unknown, locale: Locale): Fact {
  const name = isFieldKey(key) ? translator(locale, 'AuditField')(key) : key;
  if (key === 'logoHash') return { name, ...logoInWords(before, after, locale) };
  return { name, before: before === undefined ? null : valueInWords(key, before, locale), after: valueInWords(key, after, locale) };
}

/**
 * Describes a change of the logo. An entry stores only the hash of a logo, which people cannot read. Therefore the text only says that
 * there is a logo, or that it is a different one.
 */
function logoInWords(before: unknown, after: unknown, locale: Locale): Pick<Fact, 'before' | 'after'> {
  const t = translator(locale, 'Audit');
  const read = (hash: unknown, logo: string) => (typeof hash === 'string' && hash !== '' ? logo : t('nothing'));
  const had = typeof before === 'string' && before !== '';
  return { before: before === undefined ? null : read(before, t('aLogo')), after: read(after, t(had ? 'otherLogo' : 'aLogo')) };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** The names of values that only programs can read. Pages do not show these values. The exported audit log contains them. */
const UNREADABLE: readonly string[] = ['calls', 'messageId', 'outcomes', 'rowsHash', 'way'];

/** Pure. Returns whether a value means something to a reader. Ids, hashes and empty values do not. */
function isReadable(key: string, value: unknown): boolean {
  if (UNREADABLE.includes(key) || isEmpty(value)) return false;
  return !(typeof value === 'string' && isUuid(value));
}

/** Pure. Returns whether a value is an instant in the format of audit entries. */
function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value);
}

/** Pure. Returns a value in words: instants in East Africa Time, amounts in shillings. `key` is the value's name in the entry. */
function valueInWords(key: string, value: unknown, locale: Locale): string {
  const t = translator(locale, 'Audit');
  if (isEmpty(value)) return t('nothing');
  if (AMOUNTS.includes(key) && isSenti(value)) return formatMoney(BigInt(value));
  if (key === 'role') return roleInWords(value, locale);
  if (key === 'invitedBy' && typeof value === 'string') return actorName(value, locale);
  if (isInstant(value)) return formatInstant(new Date(value), locale);
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (key === 'columns' && typeof value === 'string')
    return value
      .split(',')
      .map((one) => columnInWords(one, locale))
      .join(', ');
  if (Array.isArray(value)) return value.map((one) => valueInWords(key, one, locale)).join(', ');
  const known = valueKey(key, value);
  if (known) return translator(locale, 'AuditValue')(known);
  if ((key === 'network' || key === 'networks') && typeof value === 'string' && isOperatedNetwork(value)) return WALLETS[value];
  const scope = key === 'scopes' && SCOPE_TEXTS.find((text) => text === value);
  if (scope) return translator(locale, 'KeyScopes')(scope);
  const source = key === 'source' && SOURCE_TEXTS.find((text) => text === `how_${value}`);
  if (source) return translator(locale, 'RefundList')(source);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the message key of a value from a closed list, for example of the reason `expired`; null for all other values. */
function valueKey(key: string, value: unknown): ValueKey | null {
  if (typeof value !== 'string') return null;
  const word = value.replace(/\W+/g, '_');
  const names = [
    `reason_${word}`,
    `outcome_${word}`,
    `status_${word}`,
    `states_${word}`,
    `was_${word}`,
    `permission_${word}`,
    `language_${word}`,
    `format_${word}`,
  ];
  return names.filter(isValueKey).find((name) => name === `${key}_${word}`) ?? null;
}

/** Returns the name of a column of exported bills. */
function columnInWords(column: string, locale: Locale): string {
  const key = `column_${column}`;
  return isColumnKey(key) ? translator(locale, 'BillExport')(key) : column;
}

function isColumnKey(key: string): key is keyof Messages['BillExport'] & `column_${string}` {
  return Object.hasOwn(ENGLISH.BillExport, key);
}

function isValueKey(name: string): name is ValueKey {
  return Object.hasOwn(ENGLISH.AuditValue, name);
}

/** The names of values that are amounts in senti. */
const AMOUNTS: readonly string[] = ['amount', 'expectedCash', 'countedCash'];

const SCOPE_TEXTS = ['create', 'read', 'events', 'refund', 'record'] as const;
const SOURCE_TEXTS = ['how_cash', 'how_bank', 'how_other'] as const;
const ROLE_TEXTS = ['role_owner', 'role_admin', 'role_viewer', 'role_collector'] as const;

/** Returns a role in the reader's language. A role that this version does not know stays as it is. */
function roleInWords(role: unknown, locale: Locale): string {
  const key = ROLE_TEXTS.find((text) => text === `role_${role}`);
  return key ? translator(locale, 'Shell')(key) : String(role);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns whether a value is an amount in senti. Entries store amounts as text. */
function isSenti(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value);
}
