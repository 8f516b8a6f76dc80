import { WALLETS } from '@/lib/core/network';
import { DESCRIBED_PROVIDERS } from '@/lib/providers/facts';
import { percentile } from '../load';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { startStage } from '../webhooks/stage';
import { openShop } from './shop';
import { runTimeLapse } from './time-lapse';

/** When the provider knows an outcome, Bili must know it within the sum of this time and the pause before the first status query. */
const ALLOWED_MS = 60_000;

async function main(undo: Undo): Promise<void> {
  say('Starting PostgreSQL…');
  const stage = await startStage(undo);
  const rows: string[][] = [];
  for (const { facts, capabilities } of DESCRIBED_PROVIDERS) {
    say(`Measuring ${facts.title}…`);
    const database = await stage.database(`truth_${facts.name}`);
    const [network = 'other'] = capabilities.networks;
    const shop = await openShop(database.runtime, { provider: facts.name, network }, undo);
    const { payments, callsPerMinute, lags, open } = await runTimeLapse(shop);
    const p99 = percentile(lags, 0.99);
    rows.push([
      facts.title,
      WALLETS[network],
      String(payments),
      `${callsPerMinute.toFixed(0)} of ${shop.budget ?? 'any'}`,
      String(capabilities.firstQueryMs / 1_000),
      ...[percentile(lags, 0.5), p99, lags.at(-1) ?? 0].map((ms) => (ms / 1_000).toFixed(0)),
      String(open),
      p99 <= capabilities.firstQueryMs + ALLOWED_MS && open === 0 ? 'yes' : 'NO',
    ]);
    await shop.stop();
    await database.close();
  }
  process.stdout.write(
    `\nTime from the moment when a simulated provider knows the outcome of a prompt until Bili knows it. No callback arrives, and prompts
and queries use about half of the account's requests per minute. Providers with a higher limit get one of 120. The clock is simulated.\n\n${table(
      ['provider', 'wallet', 'prompts', 'requests a minute', 'pause s', 'p50 s', 'p99 s', 'max s', 'unknown', 'p99 ≤ pause + 60 s'],
      rows,
    )}\n`,
  );
}

await runBench(main);
