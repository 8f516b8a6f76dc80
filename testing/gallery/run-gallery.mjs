// Makes a picture of every page and state that the browser tests visit, in both widths, themes and languages:
// `npm run gallery`, or `npm run gallery -- e2e/pay-states.spec.ts` for some. The tests check the pages, so the pictures are real states.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { galleryPage } from './gallery-page.mjs';

const FOLDER = join(process.cwd(), '.gallery');
const PLAYWRIGHT = join('node_modules', '@playwright', 'test', 'cli.js');

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
const child = spawn(process.execPath, [PLAYWRIGHT, 'test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, GALLERY: FOLDER },
});
const code = await new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
const pictures = readdirSync(FOLDER).filter((name) => name.endsWith('.png'));
const index = join(FOLDER, 'index.html');
writeFileSync(index, galleryPage(pictures));
process.stdout.write(`${pictures.length} pictures: ${pathToFileURL(index).href}\n`);
process.exitCode = code;
