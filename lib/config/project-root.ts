import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json and prisma/. Code runs from there bundled (.build) and unbundled (tests). */
export const PROJECT_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(from: string): string {
  if (existsSync(join(from, 'prisma', 'schema.prisma'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('cannot find the folder with prisma/schema.prisma');
  return findRoot(parent);
}
