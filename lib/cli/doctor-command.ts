import type { Command } from 'commander';
import { examine } from '@/lib/doctor/examine';
import type { Finding } from '@/lib/doctor/finding';
import { withRuntime } from './connect';
import { type JsonFlag, jsonOption, withProviders } from './options';
import { print, UserError } from './output';

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
