// The entry point of a release: `node bili.mjs` with `web`, `worker`, `migrate`, `doctor` or any other command. It installs and builds
// nothing.
import { readFileSync } from 'node:fs';

const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(`Bili needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
process.env.NODE_ENV ||= 'production';
// Next.js must use the configuration that the build stored, as in its "standalone" output. The packages with which Next.js reads a
// configuration file are not part of a release.
const { config } = JSON.parse(readFileSync(new URL('.next/required-server-files.json', import.meta.url), 'utf8'));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
await import('./program/source-maps.mjs');
await import('./program/bili.mjs');
