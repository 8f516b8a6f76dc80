import { isUuid } from '@/lib/core/ids';
import { isRecord } from '@/lib/core/is-record';
import { ENGLISH, type Messages } from '@/lib/i18n/messages';
import { type Locale, translator } from '@/lib/i18n/translator';
import { isInstant, isReadable, valueInWords } from './value-in-words';

type ActionKey = keyof Messages['AuditAction'];
type FieldKey = keyof Messages['AuditField'];

/** Pure. @returns what the words for an action are found by, or null when there are none. */
export function actionKey(action: string): ActionKey | null {
  const key = keyOf(action);
  return isActionKey(key) ? key : null;
}

/** @returns what was done, in words; one that this version does not know by its name. */
export function describeAction(action: string, locale: Locale): string {
  const key = actionKey(action);
  return key ? translator(locale, 'AuditAction')(key) : action;
}

/** @returns every action we have words for, in the order of the words, by their keys. */
export function listActions(locale: Locale): { readonly action: string; readonly text: string }[] {
  const t = translator(locale, 'AuditAction');
  const keys = Object.keys(ENGLISH.AuditAction).filter(isActionKey);
  return keys.map((key) => ({ action: key, text: t(key) })).sort((a, b) => a.text.localeCompare(b.text, locale));
}

/** Names of actions have dots and hyphens, keys of texts none. */
function keyOf(action: string): string {
  return action.replace(/[.-]/g, '_');
}

function isActionKey(key: string): key is ActionKey {
  return Object.hasOwn(ENGLISH.AuditAction, key);
}

function isFieldKey(key: string): key is FieldKey {
  return Object.hasOwn(ENGLISH.AuditField, key);
}

/** One thing that an entry tells: what it was before, where that is known, and what it is since. */
export interface Fact {
  readonly name: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Pure. @param data of an entry: `before` and `after`, each a value or several by name, and whatever else there is to tell.
 * @returns it in words, value by value, without what people cannot read.
 */
export function describeData(data: Readonly<Record<string, unknown>>, locale: Locale): Fact[] {
  const { before, after, ...rest } = data;
  const others = Object.entries(rest).filter(([key, value]) => isReadable(key, value));
  return [...differences(before, after, locale), ...others.map(([key, value]) => factOf(key, undefined, value, locale))];
}

/** Pure. @returns the id of the bill that an entry is about; null when it is about none. */
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
    // When something was closed or paused is said by when the entry was written.
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

/** A hash tells nobody what the picture was: only that there was one, and that it is not the same. */
function logoInWords(before: unknown, after: unknown, locale: Locale): Pick<Fact, 'before' | 'after'> {
  const t = translator(locale, 'Audit');
  const read = (hash: unknown, logo: string) => (typeof hash === 'string' && hash !== '' ? logo : t('nothing'));
  const had = typeof before === 'string' && before !== '';
  return { before: before === undefined ? null : read(before, t('aLogo')), after: read(after, t(had ? 'otherLogo' : 'aLogo')) };
}
