import { pushKey } from '@/lib/backoffice/alerts/push/vapid';
import { readPhoneToken, signPhonePath } from '@/lib/backoffice/phones/phone-link';
import { ENCRYPTED_COLUMNS } from '@/lib/entry/keys/encrypted-columns';
import { decryptOrNull } from '@/lib/entry/keys/rotate-key';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { showReceipt } from '@/lib/gateway/receipts/show-receipt';
import { verifyReceipt } from '@/lib/gateway/receipts/verify-receipt';
import { rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { hashRecoveryCode } from '@/lib/identity/accounts/sign-in/second-factor-codes';
import { OPERATOR_CHAIN } from '@/lib/identity/audit/chain-rules';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { verifyChain } from '@/lib/identity/audit/verify-chain';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { findAccountByToken, openAccount } from '@/lib/providers/accounts/account-store';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { makeAccount, makeBill, makeMerchant, type TestRuntime } from '../runtime';
import { accountOf, secondFactorFor, signInAs } from './accounts';
import { pay } from './paying';

/** Settings with which mails are queued and not sent. */
export const QUEUED_MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' };

export type KeyedData = Awaited<ReturnType<typeof makeKeyedData>>;

/** Stores a value in every encrypted column, and makes what depends on the stored keys. @param runtime has the settings `QUEUED_MAIL`. */
export async function makeKeyedData(runtime: TestRuntime) {
  const shop = await makeMerchant(runtime);
  const rotated = await rotateSecret(runtime, shop.operator('live'), { ms: HOUR_MS });
  if (!rotated.ok) throw new Error(rotated.error.code);
  const account = await makeAccount(runtime, { provider: 'fake-keys', credentials: '{"apiKey":"key-1"}', callbackUrl: '' });
  const { callbackUrl } = openAccount(runtime, { ...account, encryptedCredentials: null });
  const sessions = createSessionStore(runtime);
  const now = runtime.clock();
  const endsAt = addMs(now, HOUR_MS);
  const lease = await sessions.claim(account, { now, leaseUntil: endsAt, replaces: null });
  await sessions.save(account, lease ?? 0, { token: 'session-1', previous: null, openedAt: now, usableAt: now, endsAt });
  const owner = await accountOf(runtime, (await signInAs(runtime, shop)).token);
  const factor = await secondFactorFor(runtime, owner);
  const mail = { kind: 'account_changed', merchantId: null, language: 'en' } as const;
  await queueMail(runtime, { ...mail, to: [shop.email], write: () => ({ subject: 'Hello', text: 'Words\n' }) }, runtime.db);
  const bill = await findBillByLink(runtime.db, 'sandbox', await paidBill());
  const receipt = bill && (await showReceipt(runtime, bill));
  if (!receipt) throw new Error('the bill is not paid');
  const phone = (await signPhonePath(runtime, shop.merchant.id)).slice('/phone/'.length);
  while (await sealEntries(runtime));
  return { shop, account, callbackToken: callbackUrl.split('/').at(-1) ?? '', factor, owner, receipt: receipt.code, phone };

  async function paidBill(): Promise<string> {
    const id = await makeBill(runtime, shop);
    await pay(runtime, id, 500_050n);
    return id;
  }
}

/** Returns what a process can do with what depends on the stored keys. */
export async function readKeyedData(process: TestRuntime, { callbackToken, factor, owner, receipt, phone, shop }: KeyedData) {
  const { db, secrets } = process;
  const codes = await db.prisma.recoveryCode.findMany({ where: { userId: owner.user.id }, select: { codeHash: true } });
  const hash = hashRecoveryCode(process, factor.codes[0] ?? '');
  const chains = [OPERATOR_CHAIN, shop.merchant.id].map((chain) => verifyChain(process, { chain }));
  return {
    receipt: (await verifyReceipt(process, 'sandbox', receipt)).kind,
    callback: (await findAccountByToken(process, callbackToken)) !== undefined,
    phone: (await readPhoneToken(process, phone)) !== null,
    recoveryCode: codes.some(({ codeHash }) => Buffer.from(codeHash).equals(hash)),
    audit: (await Promise.all(chains)).map(({ broken }) => broken),
    push: pushKey(secrets).publicKey,
  };
}

/** Decrypts all values as one process can. Returns the texts by column and row; null for a value that the process cannot decrypt. */
export async function decryptAll({ db, secrets }: Pick<TestRuntime, 'db' | 'secrets'>): Promise<Record<string, string | null>> {
  const texts: Record<string, string | null> = {};
  for (const column of ENCRYPTED_COLUMNS) {
    const rows = await column.list.rows(db, { head: Buffer.from('none'), after: null, limit: 10_000 });
    for (const row of rows) texts[`${column.name} ${row.id}`] = decryptOrNull(secrets, column, row);
  }
  return texts;
}
