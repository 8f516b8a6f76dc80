import type { Command } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, withProviders } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { examine } from '@/lib/entry/doctor/examine';
import type { Finding } from '@/lib/entry/doctor/finding';
import { JOBS } from '@/lib/entry/worker/jobs';

const MARKS: Readonly<Record<Finding['level'], string>> = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' };

/** Adds `bili doctor`. It exits with 1 if a check finds a problem. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the database, tables, workers, provider accounts, mail, webhooks and all sums of the ledger; changes nothing')
    .option('--quick', 'do not check the ledger, only report the last check by the workers', false)
    .option('--jobs', 'only list the jobs of the workers', false)
    .action(async ({ json, jobs, quick }: JsonFlag & { readonly jobs: boolean; readonly quick: boolean }) => {
      if (jobs) return printJobs(json);
      const findings = await withRuntime((runtime) => examine({ ...withProviders(runtime), quick }), {
        anySchema: true,
        databaseNeed: 'answers',
      });
      const lines = findings.flatMap(({ level, text, details }) => [
        `${MARKS[level]}  ${text}`,
        ...details.map((detail) => `         ${detail}`),
      ]);
      print(json, findings, lines);
      const wrong = findings.filter(({ level }) => level === 'wrong').length;
      if (wrong > 0) throw new UserError(`${wrong} of ${findings.length} checks found a problem.`);
    });
}

function printJobs(json: boolean): void {
  const jobs = JOBS.map(({ name, what, atOnce, idleMs }) => ({ name, what, atOnce, idleMs }));
  const width = Math.max(...jobs.map(({ name }) => name.length));
  print(
    json,
    jobs,
    jobs.map(({ name, what, atOnce, idleMs }) => `${name.padEnd(width)}  ${what} (${atOnce} at once, checks every ${idleMs / 1_000} s)`),
  );
}
