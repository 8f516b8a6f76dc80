// The entry point of a release: `node bili.mjs` with `web`, `worker`, `migrate`, `doctor` or any other command. It installs and builds
// nothing.
import { readFileSync } from 'node:fs';

const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(`Bili needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
process.env.NODE_ENV ||= 'production';
// Uses the configuration of the build, as Next.js's "standalone" output does. The packages that read configuration files are not included.
const { config } = JSON.parse(readFileSync(new URL('.next/required-server-files.json', import.meta.url), 'utf8'));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
await import('./program/source-maps.mjs');
await import('./program/bili.mjs');
