import { findOpenShift } from '@/lib/backoffice/counter/counter-store';
import { enterBill } from '@/lib/backoffice/counter/enter-bill';
import { insertLink, type LinkKind } from '@/lib/backoffice/email-links/link-store';
import { checkImport } from '@/lib/backoffice/import/check-import';
import { signPhonePath } from '@/lib/backoffice/phones/phone-link';
import { saveView } from '@/lib/backoffice/views/manage-views';
import { sessionCookie } from '@/lib/entry/server/auth';
import { makeShortLink } from '@/lib/gateway/bills/short-links';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { insertRedelivery } from '@/lib/gateway/webhooks/redeliver/redelivery-store';
import { startSession } from '@/lib/identity/accounts/access/sessions';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { startSecondFactor } from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { findUserByEmail } from '@/lib/identity/accounts/store';
import { inviteMember } from '@/lib/identity/accounts/team/invite-member';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Result } from '@/lib/platform/core/result';
import { accessOf, makeSession } from '@/testing/data/access';
import { accountOf } from '@/testing/data/accounts';
import { makeLoggedRequest } from '@/testing/data/logged-request';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestRuntime } from '@/testing/runtime';
import type { Known } from '@/testing/surface/values';
import type { WebProcess } from '@/testing/web-process';
import { type CallbackPaths, callbackPaths } from './callback-paths';

const GUESTS = { invited: 'invited.guest@example.com', signingUp: 'new.guest@example.com' };
/** An address at which nobody listens. */
const NOWHERE = 'http://127.0.0.1:9/hooks';

/** A merchant with one object of each kind, its signed-in owner, and everything else that lets requests reach as much code as possible. */
export interface Stage extends Known {
  readonly runtime: TestRuntime;
  readonly ports: Readonly<Record<'live' | 'sandbox', number>>;
  readonly password: string;
  /** E-mail addresses of people without an account: one has an invitation, and one has a link to finish signing up. */
  readonly guests: typeof GUESTS;
  readonly view: string;
  /** Separate bills for closing and for paying, so that they do not affect each other. */
  readonly bills: Readonly<Record<'closed' | 'paid', string>>;
  /** A shift of the owner at the counter. */
  readonly shift: string;
  /** The code of a short link. */
  readonly linkCode: string;
  /** The token of a link to test phones. */
  readonly phoneToken: string;
  readonly rowsHash: string;
  readonly apiKey: KeyPair;
  /** Tokens of valid links. */
  readonly tokens: Readonly<Record<LinkKind | 'invitation', string>>;
  /** Paths for callbacks of providers. */
  readonly callbacks: CallbackPaths;
  /**
   * Session cookies. `owner`: of the signed-in owner; an answer can replace it. `waiting`: of a sign-in that waits for the second factor.
   */
  readonly sessions: { owner: string; readonly waiting: string };
  /** The secret of the owner's session on a device of a cashier. */
  readonly counterSecret: string;
  /** Fields of next-auth's forms. */
  readonly csrf: { readonly cookie: string; readonly token: string };
}

/** @param runtime has the same settings for mail and sign-up as the web process. */
export async function setStage(runtime: TestRuntime, door: WebProcess): Promise<Stage> {
  const ports = { live: Number(new URL(door.live).port), sandbox: Number(new URL(door.sandbox).port) };
  const { db, clock, random } = runtime;
  const shop = await makeMerchant(runtime);
  const access = await accessOf(runtime, shop, shop.email);
  const scope = shop.scope('sandbox');
  need(await setEndpoint(runtime, shop.operator('sandbox'), NOWHERE));
  const prompted = await makeBill(runtime, shop, { mobile: '0712345005' });
  await pay(runtime, prompted, 100n);
  const [{ attempt, delivery } = { attempt: '', delivery: '' }] = await db.query<{ attempt: string; delivery: string }>(
    { text: 'SELECT a.id AS attempt, d.id AS delivery FROM push_attempt a JOIN webhook_delivery d USING (bill_id) WHERE bill_id = $1' },
    [prompted],
  );
  const run = newId(runtime);
  const period = { from: addMs(clock(), -DAY_MS), to: clock(), states: ['UNSENT'] as const };
  await db.transaction((tx) =>
    insertRedelivery(tx, { ...scope, ...period, id: run, perSecond: 20, total: 1, requestedBy: 'user:test', createdAt: clock() }),
  );
  const file = new TextEncoder().encode('amount,reference\n500,IMPORTED\n');
  const imported = need(await checkImport(runtime, access, { formId: newId(runtime), fileName: 'bills.csv', bytes: file }));
  const [{ hash } = { hash: '' }] = await db.query<{ hash: string }>(
    { text: "SELECT encode(rows_hash, 'hex') AS hash FROM bill_import WHERE id = $1" },
    [imported],
  );
  const view = need(await saveView(runtime, access, { name: 'Open', query: 'status=NOT_PAID' }));
  const guest = { email: GUESTS.invited, role: 'viewer', mail: false } as const;
  const invited = need(await inviteMember(runtime, shop.operator('sandbox'), guest));
  const entered = { entryId: newId(runtime), amount: '700', reference: '', mobile: '', prompt: false, confirmedAt: null };
  need(await enterBill(runtime, access, entered));
  const shift = await findOpenShift(db, { ...scope, userId: access.user.id });
  const owner = await makeSession(runtime, shop.email);
  const paid = await makeBill(runtime, shop, { amount: 1000 });
  const key = await shop.key('sandbox');
  await startSecondFactor(runtime, await accountOf(runtime, owner));
  return {
    runtime,
    ports,
    merchant: { slug: shop.merchant.slug, email: shop.email },
    password: shop.password ?? '',
    guests: GUESTS,
    ids: {
      attempt,
      bill: await makeBill(runtime, shop),
      delivery,
      import: imported,
      request: await makeLoggedRequest(runtime, scope, key.id),
      invitation: invited.id,
      key: key.id,
      member: access.user.id,
      run,
    },
    view: view.id,
    shift: shift?.id ?? '',
    linkCode: (await makeShortLink(runtime, { ...scope, id: paid })).split('/').at(-1) ?? '',
    phoneToken: (await signPhonePath(runtime, scope.merchantId)).split('/').at(-1) ?? '',
    bills: { closed: await makeBill(runtime, shop), paid },
    rowsHash: hash,
    apiKey: await shop.key('sandbox', KEY_SCOPES),
    tokens: {
      reset: await makeLink(runtime, 'reset', shop.email),
      sign_up: await makeLink(runtime, 'sign_up', GUESTS.signingUp),
      email: await makeLink(runtime, 'email', 'moved@example.com', access.user.id),
      invitation: invited.link?.split('/').at(-1) ?? '',
    },
    callbacks: await callbackPaths(runtime),
    sessions: { owner: await cookieOf(runtime, ports, owner), waiting: await cookieOf(runtime, ports, await waitForCode(runtime)) },
    counterSecret: await makeSession(runtime, shop.email, { onDevice: shop }),
    csrf: await csrfOf(door),
  };

  /** Starts a sign-in of another person that waits for the second factor. */
  async function waitForCode(on: TestRuntime): Promise<string> {
    const other = await makeMerchant(on);
    const user = await findUserByEmail(on.db, other.email);
    if (!user) throw new Error('a merchant has an owner');
    const options = { user, userAgent: null, address: null, codeDue: true, replaces: null };
    return db.transaction((tx) => startSession({ db, clock, random }, options, tx));
  }
}

function need<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function makeLink(runtime: TestRuntime, kind: LinkKind, email: string, userId: string | null = null): Promise<string> {
  const token = newToken(runtime.random);
  const [createdAt, expiresAt] = [runtime.clock(), addMs(runtime.clock(), DAY_MS)];
  const whose = userId ?? (await findUserByEmail(runtime.db, email))?.id ?? null;
  await insertLink(runtime.db, {
    id: newId(runtime),
    kind,
    tokenHash: hashToken(token),
    email,
    userId: whose,
    mailed: true,
    createdAt,
    expiresAt,
  });
  return token;
}

/** Returns the session cookie with the name that the web process on these ports uses. */
async function cookieOf(runtime: TestRuntime, ports: Stage['ports'], token: string): Promise<string> {
  const settings = { ...runtime.settings, PORT: ports.live };
  const { name, value } = await sessionCookie({ ...runtime, settings }, token);
  return `${name}=${value}`;
}

async function csrfOf({ live }: WebProcess): Promise<Stage['csrf']> {
  const answer = await fetch(`${live}/api/auth/signin`, { redirect: 'manual' });
  const cookie =
    answer.headers
      .getSetCookie()
      .find((one) => /\.csrf=/.test(one))
      ?.split(';')[0] ?? '';
  return { cookie, token: decodeURIComponent(cookie.split('=')[1] ?? '').split('|')[0] ?? '' };
}
