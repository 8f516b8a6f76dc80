import { redirect } from 'next/navigation';
import { type PlainPageProps, titled } from '@/app/page-props';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { PinField } from '@/components/dashboard/cashiers/pin-field';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { type DeviceCashier, listDeviceCashiers } from '@/lib/accounts/cashiers/sign-in-with-pin';
import { ownPath } from '@/lib/http/same-origin';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { cashierDevices } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { pinAction } from './actions';

export const generateMetadata = titled('PinSignIn', 'title');

/** Sign-in of a cashier with a PIN. Redirects a device on which no cashier has joined to the ordinary sign-in page. */
export default async function PinPage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const runtime = webRuntime();
  const t = translator(locale, 'PinSignIn');
  const { callbackUrl, problem, left, until, device } = await searchParams;
  const wanted = ownPath(typeof callbackUrl === 'string' ? callbackUrl : null, runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const byEmail = `/sign-in?${new URLSearchParams({ by: 'email', callbackUrl: wanted })}`;
  const cashiers = await listDeviceCashiers(runtime, await cashierDevices(runtime));
  const [first] = cashiers;
  if (!first) redirect(byEmail);
  const chosen = cashiers.find((one) => one.device === device) ?? first;
  const wait = readUntil(until, runtime.clock());
  return (
    <PlainPage locale={locale} title={t('title')}>
      {problem === 'unknown_device' && <Notice tone="bad" role="alert" text={t('unknownDevice')} />}
      {chosen.locked && <Notice tone="bad" role="alert" title={t('lockedTitle')} text={t('lockedText')} />}
      {wait && <Notice tone="wait" role="alert" text={t('wait', { time: waitTime(wait, locale) })} />}
      <ActionForm action={pinAction} guest hidden={{ callbackUrl: wanted }} className="grid gap-4">
        <Cashiers cashiers={cashiers} chosen={chosen} legend={t('who')} locked={t('locked')} />
        <PinField
          id="pin"
          label={t('pin')}
          problem={problem === 'wrong' && !chosen.locked ? t('wrong', { left: Number(left) || 0 }) : null}
          autoFocus
        />
        <SubmitButton className="w-full">{t('button')}</SubmitButton>
      </ActionForm>
      <p className="text-sm text-muted">{t('forgot')}</p>
      <p>
        <TextLink href={byEmail}>{t('byEmail')}</TextLink>
      </p>
    </PlainPage>
  );
}

interface CashiersProps {
  readonly cashiers: readonly DeviceCashier[];
  readonly chosen: DeviceCashier;
  readonly legend: string;
  readonly locked: string;
}

/** The name of the cashier, or a choice if several cashiers share the device. */
function Cashiers({ cashiers, chosen, legend, locked }: CashiersProps) {
  if (cashiers.length === 1) {
    return (
      <p>
        <input type="hidden" name="device" value={chosen.device} />
        <strong className="block text-lg">{chosen.name}</strong>
        <span className="text-muted">{chosen.merchantName}</span>
      </p>
    );
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {cashiers.map((one) => (
        <label
          key={one.device}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg border border-edge px-3 py-2 has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-amber"
        >
          <input type="radio" name="device" value={one.device} defaultChecked={one === chosen} className="size-5 accent-brand" />
          <span className="min-w-0 wrap-anywhere">
            <strong>{one.name}</strong> <span className="text-muted">{one.merchantName}</span>
            {one.locked && <span className="block text-sm font-semibold text-danger">{locked}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
