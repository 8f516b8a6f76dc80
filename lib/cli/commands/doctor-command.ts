import type { Command } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, jsonOption, withProviders } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { examine } from '@/lib/doctor/examine';
import type { Finding } from '@/lib/doctor/finding';

const MARKS: Readonly<Record<Finding['level'], string>> = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' };

/** `bili doctor`: ends with 1 when anything is wrong. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the database, tables, workers, provider accounts, mail, webhooks and every sum of the ledger; changes nothing')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      const findings = await withRuntime((runtime) => examine(withProviders(runtime)), { anySchema: true, databaseNeed: 'answers' });
      const lines = findings.flatMap(({ level, text, details }) => [
        `${MARKS[level]}  ${text}`,
        ...details.map((detail) => `         ${detail}`),
      ]);
      print(json, findings, lines);
      const wrong = findings.filter(({ level }) => level === 'wrong').length;
      if (wrong > 0) throw new UserError(`${wrong} of ${findings.length} checks found something wrong.`);
    });
}
