import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json and prisma/. It is searched, because code runs bundled (.build) and unbundled (tests). */
export const PROJECT_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(from: string): string {
  if (existsSync(join(from, 'prisma', 'schema.prisma'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error(`no parent folder of ${import.meta.dirname} has prisma/schema.prisma`);
  return findRoot(parent);
}
