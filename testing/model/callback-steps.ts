import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { Crash, signatureOf } from '../fakes/fake-adapter';
import { type Notice, type Prompt, type Report, signsCallbacks, type Till, variantOf } from '../fakes/fake-record';
import { encode } from '../fakes/fake-wire';
import { DatabaseFault, type Fault, NO_FAULT } from './faults';
import { pick } from './gateway-steps';
import { HONEST, type World } from './world';

/**
 * Delivers one of the callbacks that the provider has created so far. So callbacks can come late, out of order or repeatedly. `account`
 * selects the account that receives the callback: the newest account of the till or an earlier one.
 */
export async function deliver(world: World, { notice: index, account }: { notice: number; account: number }): Promise<void> {
  const notice = pick(world.provider.notices, index);
  if (notice) await deliverNotice(world, notice, { account });
}

interface Delivery {
  /** Selects the account that receives the callback: 0 the newest of the till, 1 the one before, and so on. */
  readonly account?: number;
  readonly fault?: Fault;
  /** Whether the provider repeats the callback until it is accepted. */
  readonly repeats?: boolean;
}

export async function deliverNotice(
  world: World,
  notice: Notice,
  { account = 0, fault = NO_FAULT, repeats = true }: Delivery = {},
): Promise<void> {
  const { till, reference, report } = notice;
  const signed = signsCallbacks(till);
  const isOurs = world.provider.prompts.get(reference)?.till === till;
  const attempt = world.books.attempts.find(({ our_reference }) => our_reference === reference);
  if (signed && isOurs) world.heard.words.add(`${reference} ${report.kind}`);
  const receiver = world.tills[till].at(-1 - (account % world.tills[till].length)) ?? world.accounts[till];
  const moment = world.provider.nextMoment();
  const content = { reference, report, moment };
  const taken = await call(world, receiver, { content, signed, fault });
  notice.delivered = taken || !repeats;
  const stored = taken || (await isStored(world, content));
  if (!stored) return;
  if (!isOurs && 'receipt' in report) world.mayReturn.add(reference);
  if (taken && report.kind === 'paid') noteClaim(world, notice);

  const learn = () => {
    if (isOurs) world.hinted.set(reference, moment);
    if (isOurs && !signed && report.kind === 'paid') world.claimed.add(reference);
    if (signed && 'receipt' in report) world.learned.add(`${till} ${report.receipt}`);
    // A reversal of more than the ledger has of the payment is reviewed and not booked.
    const fits = 'receipt' in report && !world.mistaken.has(`${till} ${report.receipt}`);
    if (signed && report.kind === 'reversed' && report.reversal && fits) world.learned.add(`${till} ${report.reversal}`);
  };
  if (!taken) world.owed.push(learn);
  else learn();
  const denies = report.kind === 'failed' || report.kind === 'expired';
  if (taken && signed && denies && isOurs && attempt?.state === 'SUCCEEDED') world.contradicted.add(reference);
}

/** Notes a claim of a payment, unless it proves the payment. Call it when the gateway has applied the callback. */
function noteClaim(world: World, { till, reference }: Pick<Notice, 'till' | 'reference'>): void {
  const isThere = world.provider.prompts.get(reference)?.till === till;
  if (isThere && !signsCallbacks(till)) world.claims.add(reference);
  if (world.frozen || !hasLeft(world, till, reference)) return;
  world.claims.add(reference);
  world.leftClaims.add(reference);
}

/** Returns whether an attempt had left a till before this step, because the till did not accept it. */
export function hasLeft({ books, tillOf }: World, till: Till, reference: string): boolean {
  const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
  const present = attempt?.provider_account_id ?? null;
  if (!attempt || (present !== null && tillOf(present) === till)) return false;
  return attempt.refused_account_ids.some((id) => tillOf(id) === till);
}

async function isStored({ runtime }: World, content: unknown): Promise<boolean> {
  const rows = await runtime.db.query({ text: 'SELECT 1 AS stored FROM provider_message WHERE body = $1' }, [Buffer.from(encode(content))]);
  return rows.length > 0;
}

/**
 * Delivers a callback while the process dies or its database fails.
 * @param repeats 0: the provider repeats the callback until it is accepted. Any other number: the provider sends it once.
 */
export async function deliverFaulty(
  world: World,
  { notice: index, repeats, ...fault }: Fault & { notice: number; repeats: number },
): Promise<void> {
  const notice = pick(world.provider.notices, index);
  if (notice) await deliverNotice(world, notice, { fault, repeats: repeats === 0 });
}

/** The provider reports that a paid prompt has failed or expired. */
export async function contradict({ provider, heard }: World, { prompt: index, how }: { prompt: number; how: number }): Promise<void> {
  const prompt = pick(
    [...provider.prompts.values()].filter(({ status }) => status === 'paid'),
    index,
  );
  if (!prompt) return;
  heard.words.add(`${prompt.reference} lie`);
  provider.notify(prompt.till, prompt.reference, how % 2 === 0 ? { kind: 'failed', reason: 'rejected' } : { kind: 'expired' });
}

/**
 * Somebody who knows the callback URL but not the key claims that a prompt was paid, or sends nonsense.
 * @param how 0: claims a payment, 1: of an unknown prompt, 2: nonsense, 3: claims a payment, and then says that the prompt is open.
 */
export async function forge(world: World, { prompt: index, how }: { prompt: number; how: number }): Promise<void> {
  const prompt: Prompt | undefined = pick([...world.provider.prompts.values()], index);
  const account = world.accounts[prompt?.till ?? 'signed'];
  const report: Report = { kind: 'paid', receipt: `FORGED${index}`, amount: prompt?.amount ?? 100 };
  const isAboutPrompt = how % 3 === 0 && prompt;
  const reference = isAboutPrompt ? prompt.reference : 'NOBODYS';
  const content = how % 3 === 2 ? 'nonsense' : { reference, report };
  await call(world, account, { content, signed: false, fault: NO_FAULT });
  if (isAboutPrompt) world.claims.add(prompt.reference);
  if (isAboutPrompt && how === 3)
    await call(world, account, { content: { reference, report: { kind: 'pending' } }, signed: false, fault: NO_FAULT });
  const { provider, callbackUrl } = account;
  const token = `${callbackUrl.split('/').at(-1)}x`;
  const callback = { headers: { signature: signatureOf(account) }, body: encode(content) };
  const taken = await receiveCallback(world.process(HONEST), { provider, token, callback });
  if (taken.ok) throw new Error('a callback with a wrong token was taken');
}

/** A customer pays to one owner's till with the reference of an attempt at another owner's till. The provider sends a callback about it. */
export async function misdirect(world: World, { prompt: index }: { prompt: number }): Promise<void> {
  const { provider } = world;
  const prompt = pick(
    [...provider.prompts.values()].filter(({ till }) => variantOf(till) === 'signed'),
    index,
  );
  if (!prompt) return;
  const till: Till = prompt.till === 'own' ? 'signed' : 'own';
  const made = provider.notices.length;
  provider.pay(till, prompt.reference, prompt.amount);
  for (const notice of provider.notices.slice(made)) await deliverNotice(world, notice);
}

interface Call {
  readonly content: unknown;
  readonly signed: boolean;
  readonly fault: Fault;
}

/** Passes a callback to the gateway. Returns whether the gateway accepted it. */
async function call(world: World, account: ProviderAccount, { content, signed, fault }: Call): Promise<boolean> {
  const token = account.callbackUrl.split('/').at(-1) ?? '';
  const callback = { headers: signed ? { signature: signatureOf(account) } : {}, body: encode(content) };
  try {
    const taken = await receiveCallback(world.process(HONEST, fault), { provider: account.provider, token, callback });
    if (!taken.ok) throw new Error(`a callback was refused: ${taken.error}`);
    world.callbacks.stored += 1;
    return true;
  } catch (error) {
    if (!(error instanceof Crash) && !(error instanceof DatabaseFault)) throw error;
    world.callbacks.perhaps += 1;
    return false;
  }
}
