import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, jsonOption, needMerchant } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { ENVIRONMENTS, type Environment } from '@/lib/core/scope';
import { rebuildDays } from '@/lib/overview/rebuild-days';

interface RebuildOptions extends JsonFlag {
  readonly merchant?: string;
  readonly environment?: Environment;
}

/** `bili overview …`: the sums that the dashboard's overview is made of. */
export function addOverviewCommands(overview: Command): void {
  overview
    .command('rebuild')
    .description('calculate all daily sums again; meanwhile the overview stays correct and is slower')
    .option('--merchant <merchant>', "the merchant's slug or id; without it, all")
    .addOption(new Option('--environment <environment>', 'live or sandbox; without it, both').choices([...ENVIRONMENTS]))
    .addOption(jsonOption())
    .action(async ({ merchant, environment, json }: RebuildOptions) => {
      const rebuilt = await withRuntime(async (runtime) => {
        const merchantId = merchant === undefined ? null : (await needMerchant(runtime, merchant)).id;
        return rebuildDays(runtime, { merchantId, environment: environment ?? null });
      });
      const { overviews, days } = rebuilt;
      print(json, rebuilt, [
        `${days} ${days === 1 ? 'day' : 'days'} of ${overviews} ${overviews === 1 ? 'overview' : 'overviews'} were added up anew.`,
      ]);
    });
}
