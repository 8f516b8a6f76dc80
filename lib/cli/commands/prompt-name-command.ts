import type { Command } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { print, UserError } from '@/lib/cli/terminal/output';
import { setPromptName } from '@/lib/providers/accounts/set-prompt-name';

interface PromptNameOptions {
  readonly none?: true;
  readonly json: boolean;
}

export function addPromptNameCommand(providers: Command): void {
  providers
    .command('prompt-name')
    .description("set the name that an account's prompts show as the receiver of the money; the payment page tells customers to expect it")
    .argument('<account>', "the account's id")
    .argument('[name]', 'the name exactly as phones show it')
    .option('--none', 'remove the name; the payment page then mentions only the amount')
    .action(async (id: string, name: string | undefined, { none, json }: PromptNameOptions) => {
      if ((name === undefined) !== (none === true)) throw new UserError('Give either a name or --none.');
      const set = await withRuntime((runtime) => setPromptName(runtime, { id, name: name ?? null, actor: runtime.actor }));
      if (!set.ok) throw new UserError(set.error);
      const text =
        set.value === null ? 'The payment page names no receiver.' : `The payment page tells customers to expect "${set.value}".`;
      print(json, { id, promptName: set.value }, [text]);
    });
}
