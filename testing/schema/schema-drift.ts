import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { withEngine } from './schema-engine';

/** Returns the SQL that would change the migrated database to match schema.prisma. Empty if they match. */
export async function schemaDrift(url: string): Promise<string> {
  const path = join(PROJECT_ROOT, 'prisma', 'schema.prisma');
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withEngine(url, files, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: PROJECT_ROOT },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: false,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout?.replace(/^-- This is an empty migration\.\s*$/m, '').trim() ?? '';
  });
}
