import { unusedExports } from './exports';
import { readSourceFiles } from './source-files';
import { countStatements } from './statements';
import { fileCycles, folderCycles, STOREYS, upwardImports } from './storeys';
import { WALKS } from './walks';

// `npm run structure`: prints the numbers that the structure test limits, and others for information.
const files = readSourceFiles();
const product = files.filter(({ isProduct }) => isProduct);
const lines = (of: typeof files) => of.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
const statements = countStatements(product);

const rows: readonly (readonly [string, string | number])[] = [
  ...STOREYS.toReversed().map((storey) => {
    const own = product.filter(({ path }) => path.startsWith(`${storey}/`));
    return [storey, `${lines(own)} lines in ${own.length} files`] as const;
  }),
  ['upward imports', upwardImports(files).length],
  ['cycles of folders inside a storey', folderCycles(files).length],
  ['files that import each other', fileCycles(files).length],
  ['product files', product.length],
  ['product lines', lines(product)],
  ['test lines', lines(files) - lines(product)],
  ['exports that nobody imports', unusedExports(files).length],
  ['Prisma calls', statements.prisma],
  ['declared SQL statements', statements.declared],
  ['SQL with unchecked row types', statements.unchecked],
  ['other SQL', statements.plain],
  ...WALKS.map(({ act, most, files: passed }) => [act, `${passed.length} files of at most ${most}`] as const),
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
for (const { act, files: passed } of WALKS) process.stdout.write(`\n${act}\n${passed.map((path) => `  ${path}\n`).join('')}`);
