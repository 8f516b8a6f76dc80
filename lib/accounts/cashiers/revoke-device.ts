import { authorizeProven, type MerchantAccess, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { listDevices, revokeDevices } from '@/lib/accounts/cashier-store';
import { inviteProblem } from '@/lib/accounts/team/team-rules';
import { lockTeam } from '@/lib/accounts/team-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';

/** Revokes a device of a cashier, for example a lost phone, and ends its sessions. */
export async function revokeDevice(
  runtime: WriteRuntime,
  access: MerchantAccess,
  id: string,
): Promise<Result<null, ProvenRefusal | 'owners_only' | 'no_such_device'>> {
  const refusal = authorizeProven(access, 'team.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { merchantId } = access.scope;
  return runtime.db.transaction(async (tx) => {
    const problem = inviteProblem(await lockTeam(tx, merchantId), access.user.id, 'collector');
    if (problem) return fail(problem);
    const device = isUuid(id) ? (await listDevices(tx, merchantId)).find((one) => one.id === id) : undefined;
    if (!device) return fail('no_such_device');
    const { userId } = device;
    await revokeDevices(tx, { merchantId, userId, id, now: runtime.clock() });
    const entry = { merchantId, environment: null, actor: access.actor, action: 'cashier.device-revoked', subject: userId };
    await recordEntry(runtime, { ...entry, data: { device: id } }, tx);
    return ok(null);
  });
}
