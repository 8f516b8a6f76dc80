'use server';

import { refresh } from 'next/cache';
import type { SettingsState } from '@/components/dashboard/settings/settings-form';
import { isLocale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { changeBrandFromForm } from '@/lib/merchants/manage/change-brand';
import { changeProfile, changeSettings } from '@/lib/merchants/manage/change-settings';
import { ADDRESSES_MAX, parseAddresses, TOPICS } from '@/lib/merchants/notify-rules';
import { ORIGINS_MAX, parseOrigins } from '@/lib/merchants/return-origins';
import { formText, openAction } from '@/lib/server/visit';

/** Changes what customers see of the business. Saves name and language even if the colour or the support number is invalid. */
export async function changeBusinessAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const t = translator(locale, 'Settings');
  const brand = { colour: formText(form, 'colour'), support: formText(form, 'support') };
  const typed = { name: formText(form, 'name'), language: formText(form, 'language'), ...brand };
  const language = isLocale(typed.language) ? typed.language : null;
  const changed = await changeSettings(runtime, access, { change: { name: typed.name, language } });
  if (!changed.ok) {
    const problem = t(changed.error, { most: String(ADDRESSES_MAX) });
    return { typed, problems: changed.error === 'name_wrong' ? { name: problem } : { all: problem }, saved: false };
  }
  const branded = await changeBrandFromForm(runtime, access, brand);
  if (branded.ok) return saved(typed);
  const { field, kind } = branded.error;
  return { typed, problems: field === 'logo' ? {} : { [field]: t(kind) }, saved: false };
}

/** Changes the rules of bills in this environment and, for both environments, whether members need a second factor. */
export async function changeRulesAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const t = translator(locale, 'Settings');
  const typed = { partial: formText(form, 'partial'), unique: formText(form, 'unique'), factor: formText(form, 'factor') };
  const profile = { partialPayments: typed.partial === 'on', uniqueReferences: typed.unique === 'on' };
  const changed = await changeProfile(runtime, access, profile);
  if (!changed.ok) return { typed, problems: { all: t(changed.error) }, saved: false };
  const secured = await changeSettings(runtime, access, { change: { requireSecondFactor: typed.factor === 'on' } });
  if (secured.ok) return saved(typed);
  return { typed, problems: { all: t(secured.error, { most: String(ADDRESSES_MAX) }) }, saved: false };
}

/** Changes the websites to which payment pages may link back, in this environment. */
export async function changeReturnAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const t = translator(locale, 'ReturnLinks');
  const typed = { origins: formText(form, 'origins') };
  const { origins, wrong } = parseOrigins(typed.origins);
  const tooMany = origins.length > ORIGINS_MAX ? t('tooMany', { most: String(ORIGINS_MAX) }) : null;
  const problem = wrong === null ? tooMany : t('wrong', { address: wrong.slice(0, 100) });
  if (problem !== null) return { typed, problems: { origins: problem }, saved: false };
  const changed = await changeProfile(runtime, access, { returnOrigins: origins });
  if (!changed.ok) return { typed, problems: { all: translator(locale, 'Settings')(changed.error) }, saved: false };
  return saved({ origins: origins.join('\n') });
}

export async function changeNotifyAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const t = translator(locale, 'Settings');
  const most = String(ADDRESSES_MAX);
  const topics = TOPICS.map((topic) => {
    const on = formText(form, `${topic}_on`);
    const text = form.getAll(topic).join('\n');
    const { addresses, wrong } = parseAddresses(text);
    const tooMany = addresses.length > ADDRESSES_MAX ? t('too_many_addresses', { most }) : null;
    const problem = wrong === null ? tooMany : t('address_wrong', { address: wrong.slice(0, 100) });
    return { topic, on, text, topicSetting: { on: on === 'on', addresses }, problem };
  });
  const typed = Object.fromEntries(
    topics.flatMap(({ topic, on, text }) => [
      [`${topic}_on`, on],
      [topic, text],
    ]),
  );
  const problems = Object.fromEntries(topics.flatMap(({ topic, problem }) => (problem === null ? [] : [[topic, problem]])));
  if (Object.keys(problems).length > 0) return { typed, problems, saved: false };
  const notify = Object.fromEntries(topics.map(({ topic, topicSetting }) => [topic, topicSetting]));
  const changed = await changeSettings(runtime, access, { change: { notify } });
  return changed.ok ? saved(typed) : { typed, problems: { all: t(changed.error, { most }) }, saved: false };
}

/** Returns the state of a saved form. Also refreshes the page, because its other parts show some settings too, for example the name. */
function saved(typed: SettingsState['typed']): SettingsState {
  refresh();
  return { typed, problems: {}, saved: true };
}
