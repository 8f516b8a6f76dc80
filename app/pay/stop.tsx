import { htmlResponse } from '@/components/pay/render';
import { StopPage } from '@/components/pay/stop-page';
import { holderOf } from '@/lib/core/address-holder';
import { isUuid } from '@/lib/core/ids';
import { parseMobile } from '@/lib/core/mobile';
import type { Environment } from '@/lib/core/scope';
import type { Locale } from '@/lib/i18n/translator';
import { requestRefusal } from '@/lib/refusals/request-refusal';
import { REASON_MAX } from '@/lib/refusals/rules';
import type { WebRuntime } from '@/lib/server/web-runtime';

interface StopVisit {
  readonly runtime: WebRuntime;
  readonly environment: Environment;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly locale: Locale;
}

/** @returns the form where the owner of a number asks that it be never prompted. */
export async function showStop({ id, query, locale }: StopVisit): Promise<Response> {
  return htmlResponse(<StopPage locale={locale} billId={billOf(query)} typed={null} answer={null} />, 200, id);
}

/** Takes that form. Loaded again, it says the same again, for the request is there already. */
export async function submitStop({ runtime, environment, id, query, locale }: StopVisit, address: string | null): Promise<Response> {
  const typed = query.get('mobile') ?? '';
  const reason = asText(query.get('reason') ?? '');
  const mobile = parseMobile(typed.trim());
  const billId = billOf(query);
  if (mobile === null) {
    const filled = { mobile: typed.slice(0, 40), reason, invalid: true };
    return htmlResponse(<StopPage locale={locale} billId={billId} typed={filled} answer={null} />, 422, id);
  }
  const request = await requestRefusal(runtime, { environment, mobile, reason: reason || null, holder: holderOf(address) });
  runtime.log.info({ requestId: id, request: request.kind }, 'a number asked not to be prompted');
  const status = request.kind === 'too_many' ? 429 : 200;
  const contact = runtime.settings.OPERATOR_CONTACT ?? null;
  return htmlResponse(<StopPage locale={locale} billId={billId} typed={null} answer={{ request, mobile, contact }} />, status, id);
}

/** The link back goes only where a bill can be. */
function billOf(query: URLSearchParams): string | null {
  const bill = query.get('bill') ?? '';
  return isUuid(bill) ? bill : null;
}

/** PostgreSQL takes no NUL in a text, and an operator reads this in a terminal. */
function asText(written: string): string {
  return written
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, REASON_MAX);
}
