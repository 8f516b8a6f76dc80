import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { TOPICS } from '@/lib/merchants/notify-rules';

const manifestSchema = z.object({
  node: z.record(z.string(), z.object({ workers: z.record(z.string(), z.unknown()), filename: z.string(), exportedName: z.string() })),
});

/** A server action of the built product. */
export interface Action {
  readonly id: string;
  /** `(dashboard)/m/…/actions.ts#createKeyAction`. */
  readonly name: string;
  /** The page that it is sent to: a folder of app. */
  readonly page: string;
  /** Whether its first argument is the previous state, as useActionState has it. */
  readonly takesState: boolean;
}

/** @returns every server action of the build. */
export function listActions(): Action[] {
  const { node } = manifestSchema.parse(
    JSON.parse(readFileSync(join(PROJECT_ROOT, '.next/server/server-reference-manifest.json'), 'utf8')),
  );
  return Object.entries(node)
    .map(([id, { workers, filename, exportedName }]) => ({
      id,
      name: `${filename.replace(/^app\//, '')}#${exportedName}`,
      page: (Object.keys(workers)[0] ?? '').replace(/^app\//, '').replace(/\/page$/, ''),
      // The id begins with which arguments are used: 0x40 is the first alone, 0x60 the first two.
      takesState: (Number.parseInt(id.slice(0, 2), 16) & 0x20) !== 0,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Fields whose names the source computes, by the function that reads them. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  changeNotifyAction: TOPICS.flatMap((topic) => [topic, `${topic}_on`]),
};
/** Functions that a form is passed to, with the fields that they read themselves. */
const READERS: Readonly<Record<string, readonly string[]>> = { openAction: ['merchant', 'environment'], formText: [] };
const LITERAL = /formText\(form, '(\w+)'\)|form\.(?:get|getAll|has)\('(\w+)'\)/g;

/** @returns the names of the fields that an action reads. */
export function fieldsOf({ name }: Pick<Action, 'name'>): string[] {
  return fieldsIn(sourceOf(name), name.split('#')[1] ?? '');
}

/**
 * @returns the names of the fields that a function of a module reads, itself or through others of the module. Throws if the source
 *   reads the form in a way that this function cannot follow, so that no field is left out unnoticed.
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

/** @returns whether a file of actions reads all values that a field has in one form. */
export function isReadWhole({ name }: Pick<Action, 'name'>, field: string): boolean {
  return sourceOf(name).includes(`getAll('${field}')`);
}

/** @returns the text of each function and constant of a module by its name. */
function topLevel(source: string): ReadonlyMap<string, string> {
  const parts = source.split(/^(?=(?:export )?(?:(?:async )?function|const) \w+)/m);
  return new Map(parts.map((part) => [/(?:function|const) (\w+)/.exec(part)?.[1] ?? '', part]));
}
