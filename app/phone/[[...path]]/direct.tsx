import { createHash } from 'node:crypto';
import { notice, type PublicVisit, publicPage, tooBusy } from '@/app/public-page';
import { htmlResponse } from '@/components/pay/render';
import type { PhoneBill } from '@/components/phone/bill-menu';
import { CardPage } from '@/components/phone/card-page';
import { InvalidPhoneLink, type NumberProblem, PHONE_PARTS, PhonePage, phonesAddress } from '@/components/phone/phone-page';
import { operatePhone, type PhoneUse } from '@/lib/backoffice/phones/operate-phone';
import { findCardPayment, findPayable, payByCard, payFromPhone, type TypedBill } from '@/lib/backoffice/phones/pay-bill';
import { type PhoneVisit, readPhoneToken } from '@/lib/backoffice/phones/phone-link';
import { type Phone, showPhones } from '@/lib/backoffice/phones/show-phones';
import { readBody, readFields } from '@/lib/entry/http/body';
import { failureResponse } from '@/lib/entry/http/errors';
import { refuseForeignForm } from '@/lib/entry/http/refusals';
import { isForeignForm } from '@/lib/entry/http/same-origin';
import { isLoopback } from '@/lib/platform/core/loopback';
import { parseMobile, readMobile } from '@/lib/platform/core/mobile';

const MOST = 4;
const FIRST = '0754345678';
const FORM_MAX_BYTES = 4 * 1024;
const FIELD_MAX_LENGTH = 40;
const QR_MAX_LENGTH = 512;
/** The name in the address of the simulated provider's page for cards. Tokens of phones are longer. */
const CARD = 'card';

async function show(visit: PublicVisit): Promise<Response> {
  const { runtime, environment, id, path, query, locale } = visit;
  if (environment === 'live') return notice(visit, 'notFound', 404);
  const [, , token = '', ...rest] = path.split('/');
  if (token === CARD && rest.length === 1) return visitCard(visit, rest[0] ?? '');
  const phones = rest.length > 0 ? null : await readPhoneToken(runtime, token);
  if (!phones) return htmlResponse(<InvalidPhoneLink locale={locale} path={path} />, 404, id);
  const mobiles = mobilesOf(query);
  if (visit.method === 'POST') return submit(visit, phones, mobiles);
  const added = addNumber(query.get('add'), mobiles);
  if (added && !added.problem) return redirect(visit, [...mobiles, added.mobile]);
  const typed = readBill(query, query.get('pay'), mobiles);
  const bill = typed && (await lookUp(visit, phones, typed));
  return page(visit, phones, { mobiles, added: added?.problem ? added : null, refused: null, bill });
}

interface Shown {
  readonly mobiles: readonly string[];
  readonly added: { readonly typed: string; readonly problem: NumberProblem } | null;
  readonly refused: string | null;
  readonly bill: PhoneBill | null;
}

async function page(
  { runtime, id, path, query, locale }: PublicVisit,
  visit: PhoneVisit,
  { mobiles, added, refused, bill }: Shown,
): Promise<Response> {
  const phones = await showPhones(runtime, visit, mobiles);
  const version = versionOf([phones, bill]);
  if (query.get('since') === version)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', 'x-request-id': id } });
  const base = runtime.settings.SANDBOX_BASE_URL;
  const address = base.origin + phonesAddress(path, mobiles, locale);
  const view = { phones, version, path, address, locale, added, refused, bill, most: MOST, local: isLoopback(base) };
  const problem = added !== null || refused !== null || (bill !== null && bill.problem !== null);
  return htmlResponse(<PhonePage {...view} merchantName={visit.merchantName} />, problem ? 422 : 200, id, PHONE_PARTS);
}

/** Returns the fields of a form, or the response that refuses it. */
async function readForm(visit: PublicVisit): Promise<URLSearchParams | Response> {
  const { runtime, address, request, headers } = visit;
  const verdict = runtime.limits.takeForm(address);
  if (!verdict.allowed) return tooBusy(visit, verdict.retrySeconds);
  const body = await readBody(request, FORM_MAX_BYTES);
  if (!body.ok) return failureResponse({ code: body.error }, visit.id);
  const form = await readFields(body.value, headers.get('content-type'));
  if (!form) return failureResponse({ code: 'form_type_unsupported' }, visit.id);
  if (!isForeignForm(headers)) return form;
  refuseForeignForm(runtime, headers);
  return notice(visit, 'foreignForm', 403);
}

/** Answers a request for the page of the simulated provider on which a customer pays by card. */
async function visitCard(visit: PublicVisit, reference: string): Promise<Response> {
  const { runtime, id, path, locale } = visit;
  if (visit.method !== 'POST') {
    const payment = await findCardPayment(runtime, reference);
    return htmlResponse(<CardPage {...{ locale, path, payment }} />, payment ? 200 : 404, id);
  }
  const form = await readForm(visit);
  if (form instanceof Response) return form;
  await payByCard(runtime, reference);
  const headers = { location: `${path}?lang=${locale}`, 'cache-control': 'no-store', 'x-request-id': id };
  return new Response(null, { status: 303, headers });
}

async function submit(visit: PublicVisit, phones: PhoneVisit, mobiles: readonly string[]): Promise<Response> {
  const { runtime } = visit;
  const form = await readForm(visit);
  if (form instanceof Response) return form;
  if (form.get('do') === 'pay') return payBill(visit, phones, mobiles, form);
  const use = readUse(form, mobiles);
  if (!use) return redirect(visit, mobiles);
  const done = await operatePhone(runtime, phones, use);
  // The browser has closed the page. A redirect would load the page again, and its phones would continue to receive prompts.
  if (use.kind === 'close') return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', 'x-request-id': visit.id } });
  if (done) return redirect(visit, mobiles);
  return page(visit, phones, { mobiles, added: null, refused: form.get('reference'), bill: null });
}

async function payBill(visit: PublicVisit, phones: PhoneVisit, mobiles: readonly string[], form: URLSearchParams): Promise<Response> {
  const typed = readBill(form, form.get('mobile'), mobiles);
  if (!typed) return redirect(visit, mobiles);
  const amount = (form.get('amount') ?? '').slice(0, FIELD_MAX_LENGTH);
  const paid = await payFromPhone(visit.runtime, phones, { ...typed, amount, pin: form.get('pin') ?? '' });
  if (paid.ok) return redirect(visit, mobiles);
  const bill = { ...(await lookUp(visit, phones, typed)), amount, problem: paid.error };
  return page(visit, phones, { mobiles, added: null, refused: null, bill });
}

/** Reads what a person typed into the menu "Pay a bill" of a phone; null if the menu is closed. */
function readBill(fields: URLSearchParams, mobile: string | null, mobiles: readonly string[]): TypedBill | null {
  if (mobile === null || !mobiles.includes(mobile)) return null;
  const number = (fields.get('number') ?? '').slice(0, FIELD_MAX_LENGTH);
  // One character more than a QR text may have, so that a longer text is refused and not cut.
  return { mobile, number, qr: (fields.get('qr') ?? '').slice(0, QR_MAX_LENGTH + 1) };
}

async function lookUp({ runtime }: PublicVisit, phones: PhoneVisit, typed: TypedBill): Promise<PhoneBill> {
  const found = typed.number === '' && typed.qr === '' ? null : await findPayable(runtime, phones, typed);
  return { ...typed, amount: '', payable: found?.ok ? found.value : null, problem: found?.ok === false ? found.error : null };
}

function readUse(form: URLSearchParams, mobiles: readonly string[]): PhoneUse | null {
  const kind = form.get('do');
  const reference = form.get('reference') ?? '';
  const mobile = form.get('mobile') ?? '';
  if (kind === 'close') return { kind, mobiles };
  if (kind === 'decline') return { kind, reference };
  if (kind === 'answer') return { kind, reference, pin: form.get('pin') ?? '' };
  if (kind !== 'switch' || !mobiles.includes(mobile)) return null;
  return { kind, mobile, isOn: oneOf(form.get('power'), 'on', 'off'), hasMoney: oneOf(form.get('money'), 'some', 'none') };
}

function oneOf(value: string | null, yes: string, no: string): boolean | null {
  return value === yes ? true : value === no ? false : null;
}

function mobilesOf(query: URLSearchParams): string[] {
  const given = (query.get('phones') ?? '').split('.').flatMap((text) => parseMobile(text) ?? []);
  const mobiles = [...new Set<string>(given)].slice(0, MOST);
  return mobiles.length > 0 ? mobiles : [FIRST];
}

/** Returns the number to add, or what is wrong with it; null if no number was sent. */
function addNumber(typed: string | null, mobiles: readonly string[]) {
  if (typed === null) return null;
  const mobile = readMobile(typed);
  const shown = typed.slice(0, 40);
  if (mobile === null) return { typed: shown, problem: 'numberWrong' as const };
  if (!mobiles.includes(mobile) && mobiles.length >= MOST) return { typed: shown, problem: 'tooMany' as const };
  return { mobile, problem: null };
}

function redirect({ id, path, locale }: PublicVisit, mobiles: readonly string[]): Response {
  const location = phonesAddress(path, [...new Set(mobiles)], locale);
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', 'x-request-id': id } });
}

/** Returns a text that changes with everything that the page shows. */
function versionOf(content: readonly [readonly Phone[], PhoneBill | null]): string {
  const shown = JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return createHash('sha256').update(shown).digest('base64url').slice(0, 16);
}

export const phone = publicPage(show, { forms: true });
