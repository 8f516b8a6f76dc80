import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext, APIResponse } from '@playwright/test';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..');

const manifestSchema = z.object({
  node: z.record(z.string(), z.object({ workers: z.record(z.string(), z.unknown()), filename: z.string(), exportedName: z.string() })),
});

/** A server action as the built product knows it. */
export interface Action {
  readonly id: string;
  /** `(dashboard)/m/…/actions.ts#createKeyAction`. */
  readonly name: string;
  /** The page that it is sent to: a folder of app. */
  readonly page: string;
  /** Whether it takes the state before as its first argument, as useActionState has it. */
  readonly takesState: boolean;
}

/** @returns every page and route of the product, as its file below app. */
export function listDoors(): string[] {
  return readdirSync(join(ROOT, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)(page\.tsx|route\.tsx?)$/.test(name))
    .sort();
}

/** @returns files that Next.js would run before every request, were there any. */
export function listGuards(): string[] {
  return readdirSync(ROOT).filter((name) => /^(proxy|middleware)\.(ts|js|mjs)$/.test(name));
}

/** @returns every server action of the build. */
export function listActions(): Action[] {
  const { node } = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, '.next/server/server-reference-manifest.json'), 'utf8')));
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

/** @returns the names of the fields that an action's file reads. */
export function fieldsOf({ name }: Pick<Action, 'name'>): string[] {
  const source = readFileSync(join(ROOT, 'app', name.split('#')[0] ?? ''), 'utf8');
  const names = [...source.matchAll(/formText\(form, '(\w+)'\)|form\.(?:get|getAll|has)\('(\w+)'\)/g)].map(([, a, b]) => a ?? b ?? '');
  return ['merchant', 'environment', ...names];
}

/** Sends an action as its page's form would, to wherever it is. */
export async function act(
  request: APIRequestContext,
  base: string,
  action: Action,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<APIResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(`_1_${name}`, value);
  // Last, as React sends it: what it names has to be there already.
  body.append('0', JSON.stringify(action.takesState ? [null, '$K1'] : ['$K1']));
  return request.post(base + path, {
    headers: { 'next-action': action.id, 'sec-fetch-site': 'same-origin', origin: base },
    multipart: body,
    maxRedirects: 0,
  });
}
