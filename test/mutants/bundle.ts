import { join } from 'node:path';
import { bundleProgram } from '../helpers/bundle-program.js';
import type { Mutant } from './mutant.js';
import { mutatedFiles } from './mutated-files.js';
import { plant } from './plant.js';

/** The program that plays figures, in one piece, made of the source as it is or with a mutant in it. */
export const bundle = (mutant?: Mutant): Promise<string> => {
  const mutated = mutant && plant(mutant);
  return bundleProgram(join(import.meta.dirname, 'program.ts'), {
    plugins: mutated === undefined ? [] : [mutatedFiles([mutated])],
    holds: mutated?.file,
  });
};
