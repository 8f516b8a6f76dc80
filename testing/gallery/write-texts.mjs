// Writes every text in both languages side by side, for a review by a native speaker: `npm run texts`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { textsPage } from './texts-page.mjs';

const MESSAGES = join('lib', 'platform', 'i18n', 'messages');
/** The file whose texts most people read. Its texts come first on the page. */
const FIRST = 'pay.json';

const read = (language, file) => JSON.parse(readFileSync(join(MESSAGES, language, file), 'utf8'));
const files = readdirSync(join(MESSAGES, 'en')).sort(
  (one, other) => Number(other === FIRST) - Number(one === FIRST) || one.localeCompare(other),
);
const parts = files.map((file) => ({ part: file.replace('.json', ''), english: read('en', file), swahili: read('sw', file) }));
const sources = new Map(
  ['components', 'app', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.startsWith(join('db', 'generated')))
      .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]),
  ),
);
mkdirSync('.gallery', { recursive: true });
const page = join(process.cwd(), '.gallery', 'texts.html');
writeFileSync(page, textsPage(parts, sources));
process.stdout.write(`${pathToFileURL(page).href}\n`);
