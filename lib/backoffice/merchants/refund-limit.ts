import { readLimitRule } from '@/lib/gateway/refund-states/store';
import {
  type Access,
  authorizeProven,
  type MerchantAccess,
  may,
  type ProvenRefusal,
  personOf,
} from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { lockProfile } from '@/lib/identity/merchants/profile-store';
import { readShillings, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import type { ReadRuntime, WriteRuntime } from '@/lib/platform/runtime/runtime';

export type RefundLimitView = NonNullable<Awaited<ReturnType<typeof showRefundLimit>>>;

/** Returns the limit above which a refund needs a second person, and the change that waits for one. Amounts are senti. */
export async function showRefundLimit({ db }: Pick<ReadRuntime, 'db'>, access: MerchantAccess) {
  if (!may(access, 'settings.view')) return null;
  const { limit, people } = await readLimitRule(db, access.scope);
  const change = await findChange(db, access);
  return {
    /** Null for no limit. */
    limit,
    /** Whether only one person may ask for refunds and approve them. Then the limit does not apply. */
    alone: people < 2,
    change: change && { ...change, own: change.askedById === access.user.id },
  };
}

async function findChange({ prisma }: Connection, { scope: { merchantId, environment } }: Access) {
  return prisma.refundLimitChange.findUnique({
    where: { merchantId_environment: { merchantId, environment } },
    select: { limit: true, askedBy: true, askedById: true, askedAt: true },
  });
}

type AskLimitRefusal = ProvenRefusal | 'limit_wrong' | 'unchanged' | 'alone' | 'change_open';

/** Asks for another limit. It applies when another person has confirmed it. @param typed whole shillings; empty for no limit. */
export async function askRefundLimit(runtime: WriteRuntime, access: Access, typed: string): Promise<Result<null, AskLimitRefusal>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail(refusal);
  const limit = typed.trim() === '' ? null : readShillings(typed);
  if (limit === null && typed.trim() !== '') return fail('limit_wrong');
  const { scope, actor } = access;
  const { merchantId, environment } = scope;
  return runtime.db.transaction(async (tx): Promise<Result<null, AskLimitRefusal>> => {
    await lockProfile(tx, scope);
    const rule = await readLimitRule(tx, scope);
    if (rule.people < 2) return fail('alone');
    if (rule.limit === limit) return fail('unchanged');
    if (await findChange(tx, access)) return fail('change_open');
    await tx.prisma.refundLimitChange.create({
      data: { merchantId, environment, limit, askedBy: actor.name, askedById: personOf(access), askedAt: runtime.clock() },
    });
    await recordEntry(
      runtime,
      { ...scope, actor, action: 'refund.limit_asked', subject: merchantId, data: differenceOf(rule.limit, limit) },
      tx,
    );
    return ok(null);
  });
}

type DecideLimitRefusal = ProvenRefusal | 'alone' | 'own_change' | 'change_gone';

interface DecideLimitOptions {
  /** When the change was asked for, which identifies it: `2026-11-20T09:00:00.000Z`. */
  readonly askedAt: string;
  /** Whether the change is confirmed. Otherwise it is refused or, by the person who asked, withdrawn. */
  readonly confirmed: boolean;
}

/** Confirms a change of the limit that another person has asked for, or drops a change. */
export async function decideRefundLimit(
  runtime: WriteRuntime,
  access: Access,
  { askedAt, confirmed }: DecideLimitOptions,
): Promise<Result<null, DecideLimitRefusal>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const { merchantId, environment } = scope;
  return runtime.db.transaction(async (tx): Promise<Result<null, DecideLimitRefusal>> => {
    await lockProfile(tx, scope);
    const change = await findChange(tx, access);
    if (change?.askedAt.toISOString() !== askedAt) return fail('change_gone');
    const { limit, people } = await readLimitRule(tx, scope);
    if (confirmed && change.askedById === personOf(access)) return fail('own_change');
    if (confirmed && people < 2) return fail('alone');
    await tx.prisma.refundLimitChange.delete({ where: { merchantId_environment: { merchantId, environment } } });
    if (confirmed)
      await tx.prisma.merchantProfile.update({
        where: { merchantId_environment: { merchantId, environment } },
        data: { refundLimit: change.limit },
      });
    const action = confirmed ? 'refund.limit_changed' : 'refund.limit_dropped';
    await recordEntry(runtime, { ...scope, actor, action, subject: merchantId, data: differenceOf(limit, change.limit) }, tx);
    return ok(null);
  });
}

/** Returns the limits before and after as the audit log stores them. */
function differenceOf(before: Senti | null, after: Senti | null) {
  return { before: { amount: before?.toString() ?? null }, after: { amount: after?.toString() ?? null } };
}
