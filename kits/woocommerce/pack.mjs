// Packs the plugin and the SDK for PHP into bili-payments.zip, which WordPress accepts on its page "Plugins".
import { createWriteStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';

const here = fileURLToPath(new URL('.', import.meta.url));
const output = process.argv[2] ?? join(here, 'bili-payments.zip');
const zip = new ZipFile();

function add(folder, target) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [from, to] = [join(folder, entry.name), `${target}/${entry.name}`];
    if (entry.isDirectory()) add(from, to);
    else zip.addFile(from, to);
  }
}

add(join(here, 'bili-payments'), 'bili-payments');
add(join(here, '..', 'php', 'src'), 'bili-payments/sdk/src');
zip.addFile(join(here, '..', 'php', 'autoload.php'), 'bili-payments/sdk/autoload.php');
zip.end();
await pipeline(zip.outputStream, createWriteStream(output));
process.stdout.write(`${output}\n`);
