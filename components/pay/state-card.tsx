import { formatClock } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { formatSupportNumber } from '@/lib/merchants/brand-rules';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { BillFacts, BillSum, PaidPart } from './bill-facts';
import { describeState, shownMobile } from './describe-state';
import { Icon } from './icon';
import { Wallet } from './network-field';

interface StateCardProps {
  readonly page: PayPage;
  readonly locale: Locale;
  readonly now: Date;
  /** Whether an error message below the card already says what to do next. If so, the card only says what has happened. */
  readonly advised: boolean;
}

/** The state of the bill, the amount and the next step. */
export function StateCard({ page, locale, now, advised }: StateCardProps) {
  const { state } = page;
  const { icon, tone, title, texts: all } = describeState(page, locale);
  const texts = advised ? [] : all;
  return (
    <section className={`card ${tone}`}>
      <h1 tabIndex={-1}>
        <Icon name={icon} />
        <span>{title}</span>
      </h1>
      {state.kind === 'ready' && texts.map((text) => <p key={text}>{text}</p>)}
      <BillSum page={page} locale={locale} />
      <PaidPart page={page} locale={locale} />
      {(state.kind === 'sending' || state.kind === 'prompted') && <Waiting prompt={state} locale={locale} now={now} />}
      {state.kind !== 'ready' && texts.map((text) => <p key={text}>{text}</p>)}
      <BillFacts page={page} locale={locale} now={now} />
      {state.kind === 'closed' && page.bill.supportNumber !== null && (
        <a className="button" href={`tel:${page.bill.supportNumber}`}>
          {translator(locale, 'Pay')('call', { number: formatSupportNumber(page.bill.supportNumber) })}
        </a>
      )}
    </section>
  );
}

interface WaitingProps {
  readonly prompt: OpenPrompt;
  readonly locale: Locale;
  readonly now: Date;
}

/**
 * A phone with a PIN dialog, in a ring that empties while the time to respond runs out. Without JavaScript it shows the time of day until
 * which the customer can respond; the script replaces that by the remaining time, so that there is only one time to read.
 */
function Waiting({ prompt, locale, now }: WaitingProps) {
  const t = translator(locale, 'Pay');
  const { attempt, own, times } = prompt;
  return (
    <div className="left">
      <Phone waiting={times !== null} />
      <div>
        {times && (
          <p role="timer">
            <span id="by" data-left={t('timeLeft')} data-over={t('timeOver')}>
              {t('respondBy')}
            </span>{' '}
            <b
              id="left"
              data-ms={Math.max(times.until.getTime() - now.getTime(), 0)}
              data-of={times.until.getTime() - times.sentAt.getTime()}
            >
              {formatClock(times.until)}
            </b>
          </p>
        )}
        <p className="hint">
          {own && (
            <>
              <span>
                <Wallet network={attempt.network} />
              </span>
              <br />
            </>
          )}
          {shownMobile(prompt)}
        </p>
      </div>
    </div>
  );
}

/** The circumference of the ring is 100 units, so that the remaining time in per cent is the length of its arc. */
const RING = { cx: 18, cy: 18, r: 15.9155 } as const;

function Phone({ waiting }: { readonly waiting: boolean }) {
  return (
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle {...RING} opacity=".2" />
      <circle {...RING} id="ring" strokeDasharray={waiting ? '100 100' : '25 75'} transform="rotate(-90 18 18)">
        {!waiting && (
          <animateTransform attributeName="transform" type="rotate" from="0 18 18" to="360 18 18" dur="1.2s" repeatCount="indefinite" />
        )}
      </circle>
      <g strokeWidth="1">
        <path d="M13 7h10a1 1 0 0 1 1 1v20a1 1 0 0 1-1 1H13a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM17 26.5h2M14 13h8v7h-8zM16 15.3h4" />
        <path strokeWidth="1.3" d="M15.6 18h.01M17.2 18h.01M18.8 18h.01M20.4 18h.01" />
      </g>
    </svg>
  );
}
