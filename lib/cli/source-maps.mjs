import { setSourceMapsSupport } from 'node:module';

// Stack traces show our own sources. The source maps of packages would need 60 MB of memory.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
