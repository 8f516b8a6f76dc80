import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with package.json and prisma/. Its position relative to this code is not fixed, because the code runs bundled (in .build) and
 * unbundled (in tests). So the folder is searched.
 */
export const PROJECT_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(from: string): string {
  if (existsSync(join(from, 'prisma', 'schema.prisma'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error(`no parent folder of ${import.meta.dirname} has prisma/schema.prisma`);
  return findRoot(parent);
}
