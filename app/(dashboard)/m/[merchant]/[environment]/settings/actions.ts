'use server';

import { refresh } from 'next/cache';
import type { SettingsState } from '@/components/dashboard/settings/settings-form';
import { isLocale, translator } from '@/lib/i18n/translator';
import { changeBrandFromForm } from '@/lib/merchants/manage/change-brand';
import { changeProfile, changeSettings } from '@/lib/merchants/manage/change-settings';
import { ADDRESSES_MAX, parseAddresses, TOPICS } from '@/lib/merchants/notify-rules';
import { formText, openAction } from '@/lib/server/visit';

/** Changes the name and the language of the business. */
export async function changeBusinessAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const typed = { name: formText(form, 'name'), language: formText(form, 'language') };
  const language = isLocale(typed.language) ? typed.language : null;
  const changed = await changeSettings(runtime, access, { change: { name: typed.name, language } });
  if (changed.ok) return saved(typed);
  const problem = translator(locale, 'Settings')(changed.error, { most: String(ADDRESSES_MAX) });
  return { typed, problems: changed.error === 'name_wrong' ? { name: problem } : { all: problem }, saved: false };
}

/** Changes the colour and the support number on the payment page. */
export async function changeBrandAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const typed = { colour: formText(form, 'colour'), support: formText(form, 'support') };
  const changed = await changeBrandFromForm(runtime, access, typed);
  if (changed.ok) return saved(typed);
  const { field, kind } = changed.error;
  return { typed, problems: field === 'logo' ? {} : { [field]: translator(locale, 'Settings')(kind) }, saved: false };
}

/** Changes whether part payments are allowed and whether references must be unique. */
export async function changePaymentsAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const typed = { partial: formText(form, 'partial'), unique: formText(form, 'unique') };
  const change = { partialPayments: typed.partial === 'on', uniqueReferences: typed.unique === 'on' };
  const changed = await changeProfile(runtime, access, change);
  if (changed.ok) return saved(typed);
  return { typed, problems: { all: translator(locale, 'Settings')(changed.error) }, saved: false };
}

/** Changes whether members need a second factor to change anything. */
export async function changeSecurityAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const typed = { factor: formText(form, 'factor') };
  const changed = await changeSettings(runtime, access, { change: { requireSecondFactor: typed.factor === 'on' } });
  if (changed.ok) return saved(typed);
  return { typed, problems: { all: translator(locale, 'Settings')(changed.error, { most: String(ADDRESSES_MAX) }) }, saved: false };
}

export async function changeNotifyAction(_before: SettingsState, form: FormData): Promise<SettingsState> {
  const { runtime, access, locale } = await openAction(form, 'settings');
  const t = translator(locale, 'Settings');
  const most = String(ADDRESSES_MAX);
  const topics = TOPICS.map((topic) => {
    const [on, text] = [formText(form, `${topic}_on`), formText(form, topic)];
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

/** Refreshes the rest of the page, which shows some of the settings, for example the name. */
function saved(typed: SettingsState['typed']): SettingsState {
  refresh();
  return { typed, problems: {}, saved: true };
}
