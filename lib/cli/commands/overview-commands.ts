import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, needMerchant } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { ENVIRONMENTS, type Environment } from '@/lib/core/scope';
import { rebuildDays } from '@/lib/overview/roll-up-days';

export function addOverviewCommands(overview: Command): void {
  overview
    .command('rebuild')
    .description('calculate all daily sums again; until then the overview is correct but slower')
    .option('--merchant <merchant>', "the merchant's slug or id; default: all")
    .addOption(new Option('--environment <environment>', 'live or sandbox; default: both').choices([...ENVIRONMENTS]))
    .action(async ({ merchant, environment, json }: JsonFlag & { readonly merchant?: string; readonly environment?: Environment }) => {
      const rebuilt = await withRuntime(async (runtime) => {
        const merchantId = merchant === undefined ? null : (await needMerchant(runtime, merchant)).id;
        return rebuildDays(runtime, { merchantId, environment: environment ?? null });
      });
      const { overviews, days } = rebuilt;
      print(json, rebuilt, [
        `${days} ${days === 1 ? 'day' : 'days'} of ${overviews} ${overviews === 1 ? 'overview' : 'overviews'} recalculated.`,
      ]);
    });
}
