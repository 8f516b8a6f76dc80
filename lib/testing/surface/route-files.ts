import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';

/** Returns all pages and routes, as files below app. */
export function listRouteFiles(): string[] {
  return readdirSync(join(PROJECT_ROOT, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)(page\.tsx|route\.tsx?)$/.test(name))
    .sort();
}

/** Returns files that Next.js would run before every request. There should be none. */
export function listMiddleware(): string[] {
  return readdirSync(PROJECT_ROOT).filter((name) => /^(proxy|middleware)\.(ts|js|mjs)$/.test(name));
}

/** Returns the URL pattern of a page or route, for example `m/[merchant]/[environment]/bills`. */
export function addressPattern(file: string): string {
  return file.replace(/\/?(page\.tsx|route\.tsx?)$/, '').replace(/\(\w+\)\//g, '');
}
