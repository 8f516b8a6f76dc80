import { resolve } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { MUTANTS } from './mutants.mjs';

const mutant = MUTANTS.find(({ name }) => name === process.env.MODEL_MUTANT);
if (!mutant) throw new Error(`there is no mutant "${process.env.MODEL_MUTANT}"`);
const file = resolve(mutant.file);

/** Runs tests on the product with one defect. */
export default mergeConfig(
  base,
  defineConfig({
    // A cached module may contain another defect.
    test: { fsModuleCache: false },
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform: (code, id) => (id === file ? { code: code.replace(mutant.from, () => mutant.to), map: null } : undefined),
      },
    ],
  }),
);
