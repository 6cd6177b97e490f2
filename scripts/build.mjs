// Writes the scripts of the package into dist.
import { join } from 'node:path';
import { bundle, write } from './bundle.mjs';
import { root } from './entries.mjs';

write((await bundle()).files, join(root, 'dist'));
