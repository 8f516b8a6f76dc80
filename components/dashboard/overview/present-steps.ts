import { dashboardPath } from '@/lib/accounts/access/grant-access';
import { type Permission, type Role, roleMay } from '@/lib/accounts/permissions';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Overview } from '@/lib/overview/show-overview';
import type { Place } from './list-links';

/** The steps of every shop (`shop`), and the additional steps of a shop with a server of its own (`server`). */
const STEPS = [
  { step: 'bill', page: 'bills/new', needs: 'bills.create', group: 'shop' },
  { step: 'support', page: 'settings', needs: 'settings.change', group: 'shop' },
  { step: 'team', page: 'team', needs: 'team.change', group: 'shop' },
  { step: 'key', page: 'keys', needs: 'keys.change', group: 'server' },
  { step: 'webhook', page: 'webhooks', needs: 'webhooks.change', group: 'server' },
] as const satisfies readonly { readonly needs: Permission; readonly [name: string]: string }[];
/** The last three digits of the most useful test numbers. The documentation lists all. */
const NUMBERS = ['001', '002', '004', '005', '009', '010'] as const;

interface Reader {
  readonly place: Place;
  readonly role: Role;
}

/** One step: what to do, and whether it is done. */
export interface StepView {
  readonly step: string;
  readonly done: boolean;
  readonly state: string;
  readonly title: string;
  readonly text: string;
  readonly link: { readonly href: string; readonly text: string } | null;
}

export type GuideView = NonNullable<ReturnType<typeof presentGuide>>;

/**
 * Returns the first steps that the member's role allows; null if the role allows none, the member has dismissed them, or all are done.
 * A shop without a server does not need the steps `key` and `webhook`. If an API key exists, the shop has a server, so the webhook address
 * must be set too before all steps are done.
 */
export function presentGuide(steps: Overview['steps'], { place, role }: Reader, locale: Locale) {
  const mine = STEPS.filter(({ needs }) => roleMay(role, needs));
  const shopDone = mine.every(({ step, group }) => group !== 'shop' || steps[step]);
  const serverDone = steps.webhook || !steps.key;
  if (steps.hidden || mine.length === 0 || (shopDone && serverDone)) return null;
  const t = translator(locale, 'Overview');
  const stepsOf = (wanted: 'shop' | 'server') =>
    mine
      .filter(({ group }) => group === wanted)
      .map(
        ({ step, page }): StepView => ({
          step,
          done: steps[step],
          state: t(steps[step] ? 'done' : 'toDo'),
          title: t(step === 'support' ? 'activation_support' : `step_${step}`),
          text: t(step === 'support' ? 'activation_supportText' : `step_${step}Text`),
          link: steps[step]
            ? null
            : { href: dashboardPath({ ...place, page }), text: t(step === 'support' ? 'activation_supportGo' : `go_${step}`) },
        }),
      );
  const shop = stepsOf('shop');
  return {
    title: t('guide'),
    progress: t('progress', { done: shop.filter(({ done }) => done).length, count: shop.length }),
    shop,
    server: { title: t('serverSteps'), steps: stepsOf('server'), open: steps.key && !steps.webhook },
    hide: t('hideSteps'),
    place: { merchant: place.slug, environment: place.environment },
    /** The last digits of test numbers and what they cause; null in the live environment. */
    numbers:
      place.environment === 'sandbox'
        ? {
            title: t('sandboxTitle'),
            text: t('sandboxText'),
            columns: [t('numberEnds'), t('whatHappens')],
            phones: roleMay(role, 'bills.create') ? { href: dashboardPath({ ...place, page: 'phones' }), text: t('sandboxPhones') } : null,
            rows: [...NUMBERS.map((ends) => [ends, t(`sandbox_${ends}`)]), [t('anyOther'), t('sandbox_other')]],
          }
        : null,
  };
}

export type ActivationView = ReturnType<typeof presentActivation>;

/** Returns what is missing before the operator can activate live payments, and the texts of the request for the activation. */
export function presentActivation(
  { tried, support, secondFactor, requestedAt }: NonNullable<Overview['activation']>,
  { place, role }: Reader,
  locale: Locale,
) {
  const t = translator(locale, 'Overview');
  const pages = [
    { step: 'tried', done: tried, href: dashboardPath({ ...place, environment: 'sandbox', page: 'overview' }) },
    { step: 'support', done: support, href: dashboardPath({ ...place, page: 'settings' }) },
    { step: 'secondFactor', done: secondFactor, href: '/account/second-factor' },
  ] as const;
  return {
    title: t('activation'),
    text: t('activationText'),
    steps: pages.map(
      ({ step, done, href }): StepView => ({
        step,
        done,
        state: t(done ? 'done' : 'toDo'),
        title: t(`activation_${step}`),
        text: t(`activation_${step}Text`),
        link: done ? null : { href, text: t(`activation_${step}Go`) },
      }),
    ),
    requested: requestedAt === null ? null : t('activationRequested', { time: formatInstant(requestedAt, locale) }),
    /** The label of the button that asks the operator. Null if the role does not allow this, or somebody has asked already. */
    request: requestedAt === null && roleMay(role, 'settings.change') ? t('activationRequest') : null,
    place: { merchant: place.slug, environment: place.environment },
  };
}
