import { unusedExports } from './exports';
import { filesPerFolder, mutualImports } from './imports';
import { readSourceFiles } from './source-files';
import { countStatements } from './statements';

// `npm run structure`: prints the numbers that the structure test limits, and others for information.
const files = readSourceFiles();
const product = files.filter(({ isProduct }) => isProduct);
const lines = (of: typeof files) => of.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
const [largest] = filesPerFolder(files);
const statements = countStatements(product);

const rows: readonly (readonly [string, string | number])[] = [
  ['product files', product.length],
  ['product lines', lines(product)],
  ['test lines', lines(files) - lines(product)],
  ['folders', filesPerFolder(files).length],
  ['most files in a folder', `${largest?.count} (${largest?.folder})`],
  ['folders that import each other', mutualImports(files).length],
  ['exports that nobody imports', unusedExports(files).length],
  ['Prisma calls', statements.prisma],
  ['declared SQL statements', statements.declared],
  ['SQL with unchecked row types', statements.unchecked],
  ['other SQL', statements.plain],
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
