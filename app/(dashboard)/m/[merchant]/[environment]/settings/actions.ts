'use server';

import { refresh } from 'next/cache';
import { changeBrandFromForm } from '@/lib/backoffice/merchants/change-brand';
import { changeProfile, changeSettings } from '@/lib/backoffice/merchants/change-settings';
import { askRefundLimit, decideRefundLimit } from '@/lib/backoffice/merchants/refund-limit';
import { each, formAction, joined, ofMerchant, text } from '@/lib/entry/server/form-action';
import { ADDRESSES_MAX, parseAddresses, TOPICS } from '@/lib/identity/merchants/notify-rules';
import { ORIGINS_MAX, parseOrigins } from '@/lib/identity/merchants/return-origins';
import { isLocale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const page = ofMerchant('settings');
const most = String(ADDRESSES_MAX);

/** Changes what customers see of the business. Saves name and language even if the colour or the support number is invalid. */
export const changeBusinessAction = formAction(
  page,
  { name: text(), language: text(), colour: text(), support: text() },
  async ({ runtime, access, locale }, { name, language, ...brand }) => {
    const t = translator(locale, 'Settings');
    const changed = await changeSettings(runtime, access, { change: { name, language: isLocale(language) ? language : null } });
    if (!changed.ok) return { problems: { [changed.error === 'name_wrong' ? 'name' : 'all']: t(changed.error, { most }) } };
    const branded = await changeBrandFromForm(runtime, access, brand);
    if (branded.ok) return saved();
    const { field, kind } = branded.error;
    return { problems: field === 'logo' ? {} : { [field]: t(kind) } };
  },
);

/** Changes the rules of bills in this environment and, for both environments, whether members need a second factor. */
export const changeRulesAction = formAction(
  page,
  { partial: text(), unique: text(), cash: text(), ways: text(), factor: text() },
  async (visit, typed) => {
    const { runtime, access, locale } = visit;
    const t = translator(locale, 'Settings');
    const profile = {
      partialPayments: typed.partial === 'on',
      uniqueReferences: typed.unique === 'on',
      cashiersTakeCash: typed.cash === 'on',
      issuesInstruments: typed.ways === 'on',
    };
    const changed = await changeProfile(runtime, access, profile);
    if (!changed.ok) return { problems: { all: t(changed.error) } };
    const secured = await changeSettings(runtime, access, { change: { requireSecondFactor: typed.factor === 'on' } });
    return secured.ok ? saved() : { problems: { all: t(secured.error, { most }) } };
  },
);

/** Changes the websites to which payment pages may link back, in this environment. */
export const changeReturnAction = formAction(page, { origins: text() }, async ({ runtime, access, locale }, typed) => {
  const t = translator(locale, 'ReturnLinks');
  const { origins, wrong } = parseOrigins(typed.origins);
  if (wrong !== null) return { problems: { origins: t('wrong', { address: wrong.slice(0, 100) }) } };
  if (origins.length > ORIGINS_MAX) return { problems: { origins: t('tooMany', { most: String(ORIGINS_MAX) }) } };
  const changed = await changeProfile(runtime, access, { returnOrigins: origins });
  if (!changed.ok) return { problems: { all: translator(locale, 'Settings')(changed.error) } };
  return { ...saved(), typed: { origins: origins.join('\n') } };
});

export const changeNotifyAction = formAction(
  page,
  { on: joined(' '), ...each(TOPICS, joined('\n')) },
  async ({ runtime, access, locale }, { on, ...typed }) => {
    const t = translator(locale, 'Settings');
    const topics = TOPICS.map((topic) => ({ topic, ...parseAddresses(typed[topic]) }));
    const problems = topics.flatMap(({ topic, addresses, wrong }) => {
      if (wrong !== null) return [[topic, t('address_wrong', { address: wrong.slice(0, 100) })]];
      return addresses.length > ADDRESSES_MAX ? [[topic, t('too_many_addresses', { most })]] : [];
    });
    if (problems.length > 0) return { problems: Object.fromEntries(problems) };
    const notify = topics.map(({ topic, addresses }) => [topic, { on: on.split(' ').includes(topic), addresses }]);
    const changed = await changeSettings(runtime, access, { change: { notify: Object.fromEntries(notify) } });
    return changed.ok ? saved() : { problems: { all: t(changed.error, { most }) } };
  },
);

/** Asks for another limit of refunds, which another person must confirm. */
export const askLimitAction = formAction(page, { limit: text() }, async ({ runtime, access, locale }, { limit }) => {
  const asked = await askRefundLimit(runtime, access, limit);
  if (asked.ok) return saved();
  const t = translator(locale, 'RefundLimit');
  return { problems: { [asked.error === 'limit_wrong' || asked.error === 'unchanged' ? 'limit' : 'all']: t(asked.error) } };
});

/** Confirms, refuses or withdraws a change of the limit of refunds. */
export const decideLimitAction = formAction(
  page,
  { asked: text(), decision: text() },
  async ({ runtime, access, locale }, { asked: askedAt, decision }) => {
    const decided = await decideRefundLimit(runtime, access, { askedAt, confirmed: decision === 'confirm' });
    return decided.ok ? saved() : { problems: { all: translator(locale, 'RefundLimit')(decided.error) } };
  },
);

/** Returns the answer for a saved form. Also refreshes the page, because its other parts show some settings too, for example the name. */
function saved() {
  refresh();
  return { done: true };
}
