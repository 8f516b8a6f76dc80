import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { codeExpiry, type RefusalState } from './rules';
import { lockOpenRefusal, type NumberOf } from './store';

interface BlockNumberOptions extends NumberOf {
  /** The code that the payment page showed to the person who requested the block; null to block a number without a code. */
  readonly code: string | null;
  readonly reason: string | null;
  readonly actor: Actor;
}

export type BlockRefusal = 'not_requested' | 'code_wrong' | 'code_expired' | 'already_blocked';

/** Blocks all payment requests to a number in an environment, also queued ones. A prompt that is already on the phone stays there. */
export async function blockNumber(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, mobile, code, reason, actor }: BlockNumberOptions,
): Promise<Result<null, BlockRefusal>> {
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const decision = { state: 'ACTIVE', decidedAt: now, decidedBy: actor.name, ...(reason !== null && { reason }) } as const;
    const open = await lockOpenRefusal(tx, { environment, mobile });
    if (open?.state === 'ACTIVE') return fail('already_blocked');
    if (code !== null) {
      if (!open) return fail('not_requested');
      if (open.code !== code) return fail('code_wrong');
      if (now >= codeExpiry(open.requestedAt)) return fail('code_expired');
    }
    const id = open?.id ?? newId(runtime);
    const refusals = tx.prisma.promptRefusal;
    const { count } = open
      ? await refusals.updateMany({ where: { id }, data: decision })
      : await refusals.createMany({ data: { id, environment, mobile, ...decision, requestedAt: now }, skipDuplicates: true });
    // Without a lock on an open request, another transaction may have stored one or blocked the number meanwhile.
    if (count === 0) return fail('already_blocked');
    const data = { byCode: code !== null, reason };
    await recordEntry(runtime, { merchantId: null, environment, actor, action: 'number.blocked', subject: id, data }, tx);
    return ok(null);
  });
}

/**
 * Unblocks a number, or rejects a request to block it.
 * @returns the previous state of the block or of the request for it; null if there was neither.
 */
export async function allowNumber(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, mobile, actor }: NumberOf & { readonly actor: Actor },
): Promise<Exclude<RefusalState, 'LIFTED'> | null> {
  return runtime.db.transaction(async (tx) => {
    const open = await lockOpenRefusal(tx, { environment, mobile });
    if (!open || open.state === 'LIFTED') return null;
    const decision = { state: 'LIFTED', decidedAt: runtime.clock(), decidedBy: actor.name } as const;
    await tx.prisma.promptRefusal.updateMany({ where: { id: open.id }, data: decision });
    const data = { previous: open.state };
    await recordEntry(runtime, { merchantId: null, environment, actor, action: 'number.allowed', subject: open.id, data }, tx);
    return open.state;
  });
}
