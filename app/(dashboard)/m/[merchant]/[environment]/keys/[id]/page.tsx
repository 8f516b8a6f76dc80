import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { changeKeyAction, revokeKeyAction, rollKeyAction } from '@/app/(dashboard)/m/[merchant]/[environment]/keys/actions';
import { type PageProps, single } from '@/app/page-props';
import { KeyBadge } from '@/components/dashboard/badges';
import { Help } from '@/components/dashboard/help/help';
import { ChangeKeyForm, RollKeyForm } from '@/components/dashboard/keys/key-forms';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { CopiedText } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card, Fact, Facts, PageHeader } from '@/components/ui/layout';
import { BackLink, TextLink } from '@/components/ui/links';
import { Line, LineCell, List } from '@/components/ui/list';
import { Notice } from '@/components/ui/notice';
import { pageLocale } from '@/lib/entry/server/preferences';
import { findVisit, openVisit } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { isProven, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { keyFormValues, LABEL_MAX } from '@/lib/identity/keys/key-form';
import { type ShownKey, showKey } from '@/lib/identity/keys/show-keys';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** Cached, so that the title and the page share one query. */
const readKey = cache((access: MerchantAccess, id: string) => showKey(webRuntime(), access, id));

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { id, ...named } = await params;
  const visit = await findVisit(named);
  const shown = visit && (await readKey(visit.access, id));
  const title = translator(await pageLocale(), 'Keys')('title');
  return { title: shown ? `${shown.label} · ${title}` : title };
}

export default async function KeyPage({ params, searchParams }: PageProps<'id'>) {
  const { id, ...named } = await params;
  const { runtime, access, locale, path } = await openVisit(named, `keys/${encodeURIComponent(id)}`);
  if (!may(access, 'keys.view')) return <NotAllowed access={access} permission="keys.view" locale={locale} />;
  const shown = await readKey(access, id);
  if (!shown) notFound();
  const t = translator(locale, 'KeyPage');
  const now = runtime.clock();
  const keyPath = (key: string) => path(`keys/${key}`);
  const query = await searchParams;
  const changes = may(access, 'keys.change') && shown.state === 'active';
  const proven = isProven(access, now);
  return (
    <Shell access={access} locale={locale} section="keys" texts={['Keys', 'KeyPage', 'KeyScopes']}>
      <BackLink href={path('keys')}>{t('back')}</BackLink>
      <PageHeader help={<Help text={translator(locale, 'Keys')('help')} docs="/docs/quickstart" locale={locale} />} title={shown.label} />
      {single(query.revoked) !== null && shown.state === 'revoked' && (
        <ResultNotice text={t('revokedTitle')}>
          <p>{t('revokedText')}</p>
        </ResultNotice>
      )}
      {shown.drop && <DropAnswer drop={shown.drop} shownId={shown.id} keyPath={keyPath} now={now} locale={locale} />}
      <KeyFacts shown={shown} locale={locale} />
      <KeyDays shown={shown} locale={locale} />
      {changes && !proven && <ConfirmCard locale={locale} back={keyPath(shown.id)} wrong={single(query.wrong) !== null} />}
      {changes && proven && (
        <Card id="manage" title={t('manage')}>
          <div className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line *:py-1 *:first:pt-0 *:last:pb-0">
            <RollKeyForm
              key={`roll ${shown.id}`}
              action={rollKeyAction}
              keyId={shown.id}
              rolled={shown.replacedById !== null}
              again={keyPath(shown.id)}
            />
            <ChangeKeyForm
              key={`change ${shown.id}`}
              action={changeKeyAction}
              keyId={shown.id}
              labelMax={LABEL_MAX}
              present={shown.expiresAt ? formatInstant(shown.expiresAt, locale) : t('noEnd')}
              first={keyFormValues(shown)}
            />
            <Fold title={t('revoke')} look="danger">
              <ActionForm action={revokeKeyAction} hidden={{ key: shown.id }} className="grid gap-3 pt-2">
                <p>{t('revokeText')}</p>
                <SubmitButton look="danger" className="wrap-anywhere">
                  {t('revokeNow', { label: shown.label })}
                </SubmitButton>
              </ActionForm>
            </Fold>
          </div>
        </Card>
      )}
    </Shell>
  );
}

function KeyFacts({ shown, locale }: { readonly shown: ShownKey; readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const at = (instant: Date) => formatInstant(instant, locale);
  const scopeName = translator(locale, 'KeyScopes');
  const { id, state, createdAt, createdBy, expiresAt, lastUsedAt, lastAddress, lastRoute, networks, billMax, dayMax, billedToday } = shown;
  return (
    <Card id="facts" title={t('facts')}>
      <Facts>
        <Fact term={t('id')} wide>
          <CopiedText label={t('id')} text={id} />
        </Fact>
        <Fact term={t('state')}>
          <KeyBadge state={state} locale={locale} />
        </Fact>
        <Fact term={t('ends')}>{expiresAt ? at(expiresAt) : t('noEnd')}</Fact>
        <Fact term={t('created')} wide>
          {t('by', { time: at(createdAt), name: createdBy })}
        </Fact>
        <Fact term={t('lastUsed')} wide>
          {lastUsedAt ? `${at(lastUsedAt)} ${t('lastUsedFrom', { address: lastAddress ?? t('unknownAddress') })}` : t('never')}
        </Fact>
        {lastRoute && (
          <Fact term={t('route')}>
            <code className="text-sm">{lastRoute}</code>
          </Fact>
        )}
        <Fact term={t('from')}>{networks.length === 0 ? t('anywhere') : networks.join(', ')}</Fact>
        <Fact term={scopeName('title')} wide>
          {shown.scopes.map((scope) => scopeName(scope)).join(', ')}
        </Fact>
        <Fact term={t('billLimit')}>{billMax === null ? t('noLimit') : formatMoney(billMax)}</Fact>
        <Fact term={t('dayLimit')}>
          {dayMax === null ? t('noLimit') : formatMoney(dayMax)}
          {billedToday !== null && (
            <span className="block text-sm text-muted">{t('billedToday', { amount: formatMoney(billedToday) })}</span>
          )}
        </Fact>
      </Facts>
    </Card>
  );
}

/** The number of uses per day, as bars and as a table. */
function KeyDays({ shown, locale }: { readonly shown: Pick<ShownKey, 'days' | 'dayMax'>; readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const { days, dayMax } = shown;
  const most = Math.max(...days.map(({ uses }) => uses));
  const best = days.findLast(({ uses }) => uses === most);
  const named = (day: string) => formatDay(new Date(`${day}T09:00:00Z`), locale);
  return (
    <Card id="uses" title={t('uses')}>
      <p className="mb-3 text-sm text-muted">
        {best && best.uses > 0 ? `${t('usesMost', { count: best.uses, day: named(best.day) })} ${t('usesText')}` : t('usesNone')}
      </p>
      {most > 0 && (
        <>
          <div aria-hidden="true" className="flex h-20 items-end gap-1 border-b border-line">
            {days.map(({ day, uses }) => (
              <div
                key={day}
                className="min-w-1 flex-1 rounded-t bg-brand"
                style={{ height: `${uses === 0 ? 0 : Math.max(4, (uses / most) * 100)}%` }}
              />
            ))}
          </div>
          <div aria-hidden="true" className="mt-1 flex justify-between text-small text-muted">
            {[days.at(0), days.at(-1)].map((end) => end && <span key={end.day}>{named(end.day)}</span>)}
          </div>
          <Fold title={t('asTable')} className="mt-2">
            <List
              label={t('uses')}
              widths="[--columns:minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]"
              columns={[{ text: t('day') }, { text: t('count'), numeric: true }, { text: t('billed'), numeric: true }].slice(
                0,
                dayMax === null ? 2 : 3,
              )}
            >
              {days.toReversed().map(({ day, uses, billed }) => (
                <Line key={day}>
                  <LineCell at="title">{named(day)}</LineCell>
                  <LineCell at="end">{uses}</LineCell>
                  {dayMax !== null && (
                    <LineCell at="below" numeric className="max-md:text-small max-md:text-muted">
                      {formatMoney(billed)}
                    </LineCell>
                  )}
                </Line>
              ))}
            </List>
          </Fold>
        </>
      )}
    </Card>
  );
}

interface DropAnswerProps {
  readonly drop: NonNullable<ShownKey['drop']>;
  readonly shownId: string;
  readonly keyPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

const TONES = { in_use: 'bad', successor_unused: 'wait', quiet: 'wait', safe: 'good' } as const;

/** Shows whether a rolled key can be revoked, and the usage on which the answer is based. */
function DropAnswer({ drop, shownId, keyPath, now, locale }: DropAnswerProps) {
  const t = translator(locale, 'KeyPage');
  const { answer, old, successor, newUses: count } = drop;
  const used = old.lastUsedAt;
  const facts = {
    ago: used ? agoText(used, now, locale) : '',
    since: used ? formatInstant(used, locale) : '',
    address: old.lastAddress ?? t('unknownAddress'),
    route: old.lastRoute ?? '',
    count,
  };
  const never = used === null && (answer === 'quiet' || answer === 'safe');
  const other = shownId === old.id ? { href: keyPath(successor.id), text: t('toNew') } : { href: keyPath(old.id), text: t('toOld') };
  return (
    <Card id="drop" title={t('dropTitle')}>
      <Notice tone={TONES[answer]}>
        <p className="font-semibold">{t(never ? `drop_${answer === 'safe' ? 'safe' : 'quiet'}_never` : `drop_${answer}`, facts)}</p>
        <p>{old.expiresAt ? t('dropEnds', { until: formatInstant(old.expiresAt, locale) }) : t('dropOpen')}</p>
      </Notice>
      <p className="mt-3 text-sm text-muted">{t('dropBasis', { since: formatInstant(successor.createdAt, locale) })}</p>
      <p className="mt-3">
        <TextLink href={other.href}>{other.text}</TextLink>
      </p>
    </Card>
  );
}

/** Returns `4 minutes`, `3 hours` or `2 days`. */
function agoText(instant: Date, now: Date, locale: Locale): string {
  const t = translator(locale, 'KeyPage');
  const ms = Math.max(0, now.getTime() - instant.getTime());
  if (ms < HOUR_MS) return t('ago_minutes', { count: Math.floor(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('ago_hours', { count: Math.floor(ms / HOUR_MS) });
  return t('ago_days', { count: Math.floor(ms / DAY_MS) });
}
