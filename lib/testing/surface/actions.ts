import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { KEY_SCOPES } from '@/lib/accounts/key-scopes';
import { INFO_FIELDS } from '@/lib/bills/info-fields';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { TOPICS } from '@/lib/merchants/notify-rules';

const manifestSchema = z.object({
  node: z.record(z.string(), z.object({ workers: z.record(z.string(), z.unknown()), filename: z.string(), exportedName: z.string() })),
});

/** A server action of the built product. */
export interface Action {
  readonly id: string;
  /** For example `(dashboard)/m/…/actions.ts#createKeyAction`. */
  readonly name: string;
  /** The page to which the action is sent: a folder of app. */
  readonly page: string;
  /** Whether the first argument of the action is the previous state, as in useActionState. */
  readonly takesState: boolean;
}

/** Returns all server actions of the build. */
export function listActions(): Action[] {
  const { node } = manifestSchema.parse(
    JSON.parse(readFileSync(join(PROJECT_ROOT, '.next/server/server-reference-manifest.json'), 'utf8')),
  );
  return Object.entries(node)
    .map(([id, { workers, filename, exportedName }]) => ({
      id,
      name: `${filename.replace(/^app\//, '')}#${exportedName}`,
      page: (Object.keys(workers)[0] ?? '').replace(/^app\//, '').replace(/\/page$/, ''),
      // The first byte of the id is a bit mask of the used arguments: 0x40 for the first, 0x20 for the second. An action with a second
      // argument gets the form as the second and the previous state as the first.
      takesState: (Number.parseInt(id.slice(0, 2), 16) & 0x20) !== 0,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Fields with computed names, by the function that reads them. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  changeInfoAction: INFO_FIELDS,
  changeNotifyAction: TOPICS.flatMap((topic) => [topic, `${topic}_on`]),
  readKeyForm: KEY_SCOPES.map((scope) => `scope_${scope}`),
};
/** Functions that receive a form, with the fields that they read. */
const READERS: Readonly<Record<string, readonly string[]>> = { openAction: ['merchant', 'environment'], formText: [] };
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const LITERAL = /formText\(form, '(\w+)'\)|form\.(?:get|getAll|has)\('(\w+)'\)/g;

/** Returns the names of the fields that an action reads. */
export function fieldsOf({ name }: Pick<Action, 'name'>): string[] {
  return fieldsIn(sourceOf(name), name.split('#')[1] ?? '');
}

/**
 * Returns the names of the fields that a function reads, directly or through other functions of its module. Throws if the source reads a
 * form in a way that this function cannot analyse, so that no field is missed.
 */
export function fieldsIn(module: string, name: string): string[] {
  const functions = topLevel(module);
  if (!functions.has(name)) throw new Error(`${name} is no function of its module`);
  const reached = new Set([name]);
  const fields = new Set<string>();
  for (const one of reached) {
    const source = functions.get(one) ?? '';
    for (const [, text, other] of source.matchAll(LITERAL)) fields.add(text ?? other ?? '');
    for (const [, called = ''] of source.matchAll(/\b(\w+)\(/g)) if (functions.has(called)) reached.add(called);
    for (const [, called = ''] of source.matchAll(/\b(\w+)\((?:[^()]*, )?form[,)]/g)) {
      const read = READERS[called];
      if (!read && !functions.has(called)) throw new Error(`${one} passes its form to ${called}: add to READERS which fields that reads`);
      for (const field of read ?? []) fields.add(field);
    }
    const rest = source.replace(LITERAL, '').replace(/form: FormData/g, '');
    const computed = /formText\(form, (?!\w+: )|\bform\.|\bof form\b|\.\.\.form\b/.test(rest);
    if (computed && !COMPUTED[one]) throw new Error(`${one} computes the name of a field: add to COMPUTED which fields it reads`);
    for (const field of COMPUTED[one] ?? []) fields.add(field);
  }
  return [...fields];
}

function sourceOf(name: string): string {
  return readFileSync(join(PROJECT_ROOT, 'app', name.split('#')[0] ?? ''), 'utf8');
}

/** Returns whether an actions file reads all values of a repeated field. */
export function isReadWhole({ name }: Pick<Action, 'name'>, field: string): boolean {
  return sourceOf(name).includes(`getAll('${field}')`);
}

/** Returns the source of each function and constant of a module by name, without comments. */
function topLevel(source: string): ReadonlyMap<string, string> {
  const parts = source.replace(COMMENT, '').split(/^(?=(?:export )?(?:(?:async )?function|const) \w+)/m);
  return new Map(parts.map((part) => [/(?:function|const) (\w+)/.exec(part)?.[1] ?? '', part]));
}
