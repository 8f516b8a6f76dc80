import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';

/** @returns every page and route of the product, as its file below app. */
export function listRouteFiles(): string[] {
  return readdirSync(join(PROJECT_ROOT, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)(page\.tsx|route\.tsx?)$/.test(name))
    .sort();
}

/** @returns files that Next.js would run before every request, if there were any. */
export function listMiddleware(): string[] {
  return readdirSync(PROJECT_ROOT).filter((name) => /^(proxy|middleware)\.(ts|js|mjs)$/.test(name));
}

/** @returns the address pattern of a page or route: `m/[merchant]/[environment]/bills`. */
export function addressPattern(file: string): string {
  return file.replace(/\/?(page\.tsx|route\.tsx?)$/, '').replace(/\(\w+\)\//g, '');
}
