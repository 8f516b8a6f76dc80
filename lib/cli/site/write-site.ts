import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SITE_FOLDER } from '@/lib/entry/docs/serve-docs';
import { buildSite } from './build-site';

// A step of `npm run build`: writes the documentation for developers, which the web process serves.
const site = await buildSite();
await rm(SITE_FOLDER, { recursive: true, force: true });
for (const [path, content] of site) {
  const file = join(SITE_FOLDER, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
