import { afterAll, beforeAll } from 'vitest';
import { describeState } from '@/components/pay/describe-state';
import { describeAttention } from '@/lib/backoffice/overview/attention-rules';
import { showOverview } from '@/lib/backoffice/overview/show-overview';
import { describeAccount, listAccountViews } from '@/lib/cli/commands/account-view';
import { examine } from '@/lib/entry/doctor/examine';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { claimDueNotices, notifyOutages, sendNotice } from '@/lib/gateway/outages/notify-outages';
import { claimDueProbes, probeAccount } from '@/lib/gateway/outages/probe-account';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import type { Locale } from '@/lib/platform/i18n/locale';
import { createRegistry } from '@/lib/providers/registry';
import { testListener } from '@/testing/fakes/listener';
import { testReceiver } from '@/testing/fakes/receiver';
import { makeBill, testRuntime } from '@/testing/runtime';
import { letIn } from './access';
import { mailsTo } from './mails';
import { type Served, type SimulatedAccount, startSimulatedAccount } from './simulated-account';

const OPERATOR = 'operator@example.com';
const { signal } = new AbortController();
/** The checks of "bili doctor" that are about provider accounts. Other checks fail in a test database by design. */
const CHECKS: readonly string[] = ['providers_answer', 'providers_accept', 'networks_served'];

/**
 * Returns functions that test one provider account. They do the work of a worker by a clock that the tests move, and return what the
 * customer, the merchant and the operator see.
 */
export function testTroubledAccount() {
  const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'bili@example.com', OPERATOR_EMAIL: OPERATOR });
  const receiver = testReceiver();
  const origin = testListener(runtime, 'live');
  let providers: ReturnType<typeof createRegistry>;
  beforeAll(() => {
    providers = createRegistry(runtime(), null);
  });
  let situation: SimulatedAccount | undefined;
  afterAll(() => situation?.stop());
  const now = () => {
    if (!situation) throw new Error('there is no account yet');
    return situation;
  };
  const worker = () => ({
    ...runtime(),
    settings: { ...runtime().settings, OPERATOR_WEBHOOK_URL: receiver.url('/operator') },
    providers,
    heartbeatMs: 20,
  });

  /** Does all work that is due, then lets the time pass. */
  async function step(seconds: number): Promise<void> {
    const { db, clock } = runtime();
    const attempts = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 100 });
    await Promise.all(attempts.map((attempt) => workAttempt(worker(), attempt, signal)));
    await notifyOutages(worker());
    await Promise.all((await claimDueProbes(worker(), 10)).map((id) => probeAccount(worker(), id, signal)));
    await Promise.all((await claimDueNotices(worker(), 10)).map((notice) => sendNotice(worker(), notice, signal)));
    runtime().advance(seconds * SECOND_MS);
  }

  async function lastAttempt(billId: string) {
    const attempt = (await listAttempts(runtime().db, billId)).at(-1);
    if (!attempt) throw new Error('the bill has no attempt');
    return attempt;
  }

  async function pageTexts(billId: string, own: string | null, locale: Locale) {
    const page = await showPayPage(worker(), 'live', billId, own);
    if (!page) throw new Error('the bill has no page');
    const { title, texts } = describeState(page, locale);
    return {
      kind: page.state.kind,
      held: page.state.kind === 'ready' && page.state.failure?.mayStillBePaid === true,
      title,
      text: texts[0] ?? '',
    };
  }

  return {
    runtime,
    lastAttempt,
    situation: now,
    /** Stops the previous account. Then starts the simulator of a provider behind a proxy, and adds a live account that uses it. */
    async open(served: Served, { credentials: changes = {} }: { readonly credentials?: object } = {}): Promise<void> {
      await situation?.stop();
      // Disables earlier accounts and stops the work on their attempts, so that only the new account is tested.
      await runtime().db.query({ text: 'UPDATE provider_account SET disabled_at = now() WHERE disabled_at IS NULL' });
      await runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
      await runtime().db.query({ text: 'DELETE FROM mail' });
      await step(1);
      receiver.received.length = 0;
      situation = await startSimulatedAccount({ ...runtime(), providers }, served, changes);
    },
    step,
    async pass(seconds: number, each = 5): Promise<void> {
      for (let passed = 0; passed < seconds; passed += each) await step(each);
    },
    newBill: (ends: string) => makeBill(runtime(), now().merchant, { mobile: `${now().served.prefix}${ends}`, environment: 'live' }),
    /** What the customer sees on the device that requested the prompt, and on another device. */
    async customer(billId: string) {
      const { id } = await lastAttempt(billId);
      return { en: await pageTexts(billId, id, 'en'), sw: await pageTexts(billId, id, 'sw'), other: await pageTexts(billId, null, 'en') };
    },
    /** What the merchant sees: the last attempt in the API, and what needs attention in the dashboard. */
    async merchant(billId: string) {
      const key = await now().merchant.key('live');
      const answer = await fetch(`${origin()}/api/v3/bills/${billId}`, { headers: { authorization: `ApiKey ${key.id}:${key.secret}` } });
      const { lastAttempt: attempt, status } = await answer.json();
      const shown = await showOverview(runtime(), await letIn(runtime(), now().merchant, { environment: 'live' }), { asked: {} });
      if (!shown.ok) throw new Error(shown.error);
      return {
        status,
        state: attempt.state,
        reason: attempt.reason,
        attention: shown.value.attention.map((item) => describeAttention(item, 'en').title),
      };
    },
    /** What the operator sees: "bili doctor" and "bili provider list" about the account, mails, and the types of the notices. */
    async operator() {
      const findings = await examine(worker());
      const view = (await listAccountViews(runtime())).find(({ id }) => id === now().id);
      return {
        doctor: findings.filter(({ name, level }) => CHECKS.includes(name) && level === 'wrong').flatMap(({ details }) => details),
        list: view ? describeAccount(view)[0] : undefined,
        mails: (await mailsTo(runtime(), OPERATOR)).map(({ text }) => text),
        notices: receiver.received.map(({ body }) => JSON.parse(body).type),
      };
    },
  };
}
