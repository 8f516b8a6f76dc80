import { createHash } from 'node:crypto';
import { notice, type PublicVisit, publicPage, tooBusy } from '@/app/public-page';
import { htmlResponse } from '@/components/pay/render';
import { InvalidPhoneLink, type NumberProblem, PHONE_PARTS, PhonePage, phonesAddress } from '@/components/phone/phone-page';
import { isLoopback } from '@/lib/core/loopback';
import { parseMobile, readMobile } from '@/lib/core/mobile';
import { readBody } from '@/lib/http/body';
import { failureResponse } from '@/lib/http/errors';
import { readFields } from '@/lib/http/read-form';
import { everyMethod } from '@/lib/http/route-module';
import { isForeignForm } from '@/lib/http/same-origin';
import { type PhoneVisit, readPhoneToken } from '@/lib/phones/link';
import { operatePhone, type PhoneUse } from '@/lib/phones/operate-phone';
import { type Phone, showPhones } from '@/lib/phones/show-phones';
import { refuseForeignForm } from '@/lib/server/refusals';

const MOST = 4;
const FIRST = '0754345678';
const FORM_MAX_BYTES = 4 * 1024;

async function show(visit: PublicVisit): Promise<Response> {
  const { runtime, environment, id, path, query, locale } = visit;
  if (environment === 'live') return notice(visit, 'notFound', 404);
  const [, , token = '', ...rest] = path.split('/');
  const phones = rest.length > 0 ? null : await readPhoneToken(runtime, token);
  if (!phones) return htmlResponse(<InvalidPhoneLink locale={locale} path={path} />, 404, id);
  const mobiles = mobilesOf(query);
  if (visit.method === 'POST') return submit(visit, phones, mobiles);
  const added = addNumber(query.get('add'), mobiles);
  if (added && !added.problem) return redirect(visit, [...mobiles, added.mobile]);
  return page(visit, phones, { mobiles, added: added?.problem ? added : null, refused: null });
}

interface Shown {
  readonly mobiles: readonly string[];
  readonly added: { readonly typed: string; readonly problem: NumberProblem } | null;
  readonly refused: string | null;
}

async function page(
  { runtime, id, path, query, locale }: PublicVisit,
  visit: PhoneVisit,
  { mobiles, added, refused }: Shown,
): Promise<Response> {
  const phones = await showPhones(runtime, visit, mobiles);
  const version = versionOf(phones);
  if (query.get('since') === version)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', 'x-request-id': id } });
  const base = runtime.settings.SANDBOX_BASE_URL;
  const address = base.origin + phonesAddress(path, mobiles, locale);
  const view = { phones, version, path, address, locale, added, refused, most: MOST, local: isLoopback(base) };
  const problem = added !== null || refused !== null;
  return htmlResponse(<PhonePage {...view} merchantName={visit.merchantName} />, problem ? 422 : 200, id, PHONE_PARTS);
}

async function submit(visit: PublicVisit, phones: PhoneVisit, mobiles: readonly string[]): Promise<Response> {
  const { runtime, address, request, headers } = visit;
  const verdict = runtime.limits.takeForm(address);
  if (!verdict.allowed) return tooBusy(visit, verdict.retrySeconds);
  const body = await readBody(request, FORM_MAX_BYTES);
  if (!body.ok) return failureResponse({ code: body.error }, visit.id);
  const form = await readFields(body.value, headers.get('content-type'));
  if (!form) return failureResponse({ code: 'form_type_unsupported' }, visit.id);
  if (isForeignForm(headers)) {
    refuseForeignForm(runtime, headers);
    return notice(visit, 'foreignForm', 403);
  }
  const use = readUse(form, mobiles);
  if (!use) return redirect(visit, mobiles);
  const done = await operatePhone(runtime, phones, use);
  // The browser has closed the page. A redirect would load the page again, and its phones would continue to receive prompts.
  if (use.kind === 'close') return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', 'x-request-id': visit.id } });
  if (done) return redirect(visit, mobiles);
  return page(visit, phones, { mobiles, added: null, refused: form.get('reference') });
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
function versionOf(phones: readonly Phone[]): string {
  const shown = JSON.stringify(phones, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return createHash('sha256').update(shown).digest('base64url').slice(0, 16);
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(publicPage(show, { forms: true }));
