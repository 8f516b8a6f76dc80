import { countEncrypted } from '@/lib/entry/keys/encrypted-columns';
import { listLivingProcesses } from '@/lib/entry/processes/store';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Finding, finding } from './finding';

/** Checks which master keys the values in the database and the running processes use. */
export async function examineKeys({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>): Promise<Finding[]> {
  const [current, other] = secrets.keyIds;
  const values = await countEncrypted(db);
  const unknown = values.filter(({ keyId }) => keyId !== null && keyId !== current && keyId !== other);
  const old = values.filter(({ keyId }) => keyId !== current).reduce((sum, one) => sum + one.values, 0);
  const processes = (await listLivingProcesses(db)).filter(({ keyIds }) => keyIds.length > 0);
  return [
    finding(
      'secrets_readable',
      'The master keys of this command decrypt all secrets in the database.',
      unknown.map((one) => `${one.column}: ${one.values} values are encrypted with the key ${one.keyId}, which is not in the settings`),
    ),
    finding(
      'keys_agree',
      'All processes have the master keys of this command.',
      processes.map(
        ({ role, pid, host, keyIds }) =>
          keyIds.join() !== secrets.keyIds.join() &&
          `${role} ${pid} on ${host} has ${keyIds.join(', ')}, this command has ${secrets.keyIds.join(', ')}`,
      ),
      'note',
    ),
    finding(
      'key_replaced',
      'The master key is not being replaced.',
      [
        other !== undefined &&
          (old > 0
            ? `${old} values are not encrypted with ${current} yet; see docs/operating.md#replace-the-master-key`
            : `nothing needs ${other} any more: remove SECRET_KEY_OTHER from the settings`),
      ],
      'note',
    ),
  ];
}
