import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { INFO_FIELDS } from '@/lib/gateway/bills/bill-info';
import { TOPICS } from '@/lib/identity/merchants/notify-rules';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

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
  /** Whether the action is a formAction. Its first argument is the previous state, as in useActionState. */
  readonly takesState: boolean;
}

/** Returns all server actions of the build. */
export function listActions(): Action[] {
  const { node } = manifestSchema.parse(
    JSON.parse(readFileSync(join(PROJECT_ROOT, '.next/server/server-reference-manifest.json'), 'utf8')),
  );
  return Object.entries(node)
    .map(([id, { workers, filename, exportedName }]) => {
      const name = `${filename.replace(/^app\//, '')}#${exportedName}`;
      const page = (Object.keys(workers)[0] ?? '').replace(/^app\//, '').replace(/\/page$/, '');
      return { id, name, page, takesState: formOf(name).takesState };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the names of the fields that an action reads. */
export function fieldsOf({ name }: Pick<Action, 'name'>): string[] {
  return [...formOf(name).schemas.keys()];
}

/** Returns whether an action reads all values of a repeated field. */
export function isReadWhole({ name }: Pick<Action, 'name'>, field: string): boolean {
  return /^(?:list$|joined\()/.test(formOf(name).schemas.get(field) ?? '');
}

function formOf(name: string): ActionForm {
  const [file = '', exported = ''] = name.split('#');
  return formIn(readFileSync(join(PROJECT_ROOT, 'app', file), 'utf8'), exported);
}

interface ActionForm {
  readonly takesState: boolean;
  /** The source of each field's schema, by the name of the field. */
  readonly schemas: ReadonlyMap<string, string>;
}

/** Lists of names that are used with `each`. */
const LISTS: Readonly<Record<string, readonly string[]>> = { INFO_FIELDS, TOPICS };
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/**
 * Returns the form of an action in the source of a module. The source is read because browser tests cannot import modules of Next.js. Throws
 * if it cannot be analysed, so that no field is missed.
 */
export function formIn(module: string, name: string): ActionForm {
  const parts = topLevel(module);
  const source = parts.get(name) ?? '';
  // A function of the module may make several actions.
  const made = parts.get(/^(\w+)\(/.exec(source)?.[1] ?? '') ?? source;
  const call = /\b(formAction|plainAction)\(/.exec(made);
  if (!call) throw new Error(`${name} is made neither by formAction nor by plainAction`);
  const [open = '', fields = ''] = splitList(made.slice(call.index + call[0].length));
  const shared: [string, string][] = /^ofMerchant\b/.test(parts.get(open) ?? open)
    ? [
        ['merchant', 'text()'],
        ['environment', 'text()'],
      ]
    : [];
  return { takesState: call[1] === 'formAction', schemas: new Map([...shared, ...schemasIn(parts, fields)]) };
}

function schemasIn(parts: ReadonlyMap<string, string>, text: string): [string, string][] {
  const object = parts.get(text) ?? text;
  if (!object.startsWith('{')) throw new Error(`the fields of a form must be an object in its module: ${text}`);
  return splitList(object.slice(1)).flatMap((item) => {
    const [, list, schema] = /^\.\.\.each\((\w+), (.*)\)$/.exec(item) ?? [];
    if (list !== undefined && schema !== undefined) {
      const names = LISTS[list];
      if (!names) throw new Error(`add ${list} to LISTS`);
      return names.map((name): [string, string] => [name, schema]);
    }
    if (item.startsWith('...')) return schemasIn(parts, item.slice(3));
    const [, name, value] = /^(\w+)(?:: ([\s\S]*))?$/.exec(item) ?? [];
    if (name === undefined) throw new Error(`the name of a field cannot be read: ${item}`);
    return [[name, value ?? name]];
  });
}

/** Returns the items of a list in a source, up to the bracket that closes the list. */
function splitList(source: string): string[] {
  const items = [''];
  let depth = 0;
  for (const character of source) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character) && --depth < 0) break;
    if (character === ',' && depth === 0) items.push('');
    else items.push(`${items.pop()}${character}`);
  }
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Returns the value of each constant and the source of each function of a module by name, without comments. */
function topLevel(source: string): ReadonlyMap<string, string> {
  const parts = source.replace(COMMENT, '').split(/^(?=(?:export )?(?:(?:async )?function|const) \w+)/m);
  return new Map(
    parts.map((part) => {
      const [start = '', name = ''] = /^(?:export )?(?:(?:async )?function|const) (\w+)(?: = )?/.exec(part) ?? [];
      return [name, part.slice(start.length).trim().replace(/;$/, '')];
    }),
  );
}
