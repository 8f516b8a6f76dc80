import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { visibleLine } from '@/lib/core/text';
import type { Runtime } from '@/lib/runtime/runtime';

/** No network shows a longer name in a prompt. */
const PROMPT_NAME_MAX = 40;

interface SetPromptNameOptions {
  readonly id: string;
  /** The name as it appears on customers' phones; null if it is not known. */
  readonly name: string | null;
  readonly actor: Actor;
}

/**
 * Sets the name that an account's prompts show as the receiver of the money. The payment page tells customers to expect this name.
 * @returns the stored name, or one sentence about the problem.
 */
export async function setPromptName(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, name, actor }: SetPromptNameOptions,
): Promise<Result<string | null, string>> {
  const promptName = name === null ? null : visibleLine(name);
  if (promptName === '') return fail('The name is empty.');
  if (promptName !== null && promptName.length > PROMPT_NAME_MAX) return fail(`The name is longer than ${PROMPT_NAME_MAX} characters.`);
  const changed = await runtime.db.transaction(async (tx) => {
    const [owner] = isUuid(id)
      ? await tx.prisma.providerAccount.updateManyAndReturn({
          where: { id, disabledAt: null },
          data: { promptName },
          select: { merchantId: true, environment: true },
        })
      : [];
    if (owner)
      await recordEntry(runtime, { ...owner, actor, action: 'provider_account.prompt_name_set', subject: id, data: { promptName } }, tx);
    return owner !== undefined;
  });
  return changed ? ok(promptName) : fail(`There is no active account ${id}; "bili provider list" shows all.`);
}
