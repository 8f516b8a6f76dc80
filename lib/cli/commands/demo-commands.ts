import { type Command, Option } from 'commander';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { merchantOption, needMerchant, type ScopeOptions, wholeNumber } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import { ENVIRONMENTS } from '@/lib/platform/core/scope';
import { groupDigits } from '@/lib/platform/i18n/format';

const MOST = 5_000_000;

export function addDemoCommands(demo: Command): void {
  demo
    .command('seed')
    .description('generate 13 months of sample bills and payments; sandbox only')
    .addOption(merchantOption())
    .addOption(new Option('--environment <environment>', 'only sandbox').choices([...ENVIRONMENTS]).default('sandbox'))
    .option('--bills <number>', `number of bills, at most ${MOST}`, wholeNumber(1, MOST), 1_000)
    .action(async ({ merchant: name, environment, bills, json }: ScopeOptions & { bills: number }) => {
      const began = Date.now();
      const seeded = await withRuntime(async (runtime) => {
        const { id: merchantId, profiles } = await needMerchant(runtime, name);
        const uniqueReferences = profiles.find((profile) => profile.environment === environment)?.uniqueReferences ?? false;
        const onProgress = (made: number) => progress(`${count(made)} of ${count(bills)} bills`);
        return seedBills(runtime, { scope: { merchantId, environment }, uniqueReferences, bills, onProgress });
      });
      if (!seeded.ok) throw new UserError('Sample bills can only be created in the sandbox. In live, every bill is about real money.');
      const seconds = Math.round((Date.now() - began) / 1_000);
      print(json, { ...seeded.value, seconds }, [`Created ${count(seeded.value.made)} bills in ${seconds} s.`]);
    });
}

const count = (number: number) => groupDigits(BigInt(number));
