// Writes every diagram beside this file: node --import tsx docs/marbles/make.ts
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

for (const diagram of diagrams) {
  await writeFile(join(import.meta.dirname, `${diagram.name}.svg`), draw(diagram));
}
