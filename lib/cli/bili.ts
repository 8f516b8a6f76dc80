import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Stores compiled code beside the program, so that processes and commands start in two thirds of the time. If the folder is not
// writable, everything is compiled at each start.
enableCompileCache(join(import.meta.dirname, 'compiled'));
await import('./main');
