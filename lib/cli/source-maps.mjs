import { setSourceMapsSupport } from 'node:module';

// Stacks name our own sources; the packages' maps would cost 60 MB of memory.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
