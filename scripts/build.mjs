// Writes the scripts of the package into dist, or into the folder that an argument names.
import { join } from 'node:path';
import { bundle, write } from './bundle.mjs';
import { root } from './entries.mjs';

const [folder = join(root, 'dist')] = process.argv.slice(2);
write((await bundle()).files, folder);
