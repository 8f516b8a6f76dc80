import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const SERVICES = ['start', 'web', 'worker'];

// Stores compiled code beside the program, so that commands start in two thirds of the time. If the folder is not writable, everything is
// compiled at each start. Services run for long: there, the stored code would only take 60 MB of memory.
if (!SERVICES.includes(process.argv[2] ?? '')) enableCompileCache(join(import.meta.dirname, 'compiled'));
await import('./main');
