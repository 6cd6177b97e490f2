// Writes the diagram of every run beside this file: node --import tsx docs/diagrams/make.ts
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawLanes } from '../marbles/draw-lanes.js';
import { runs } from './runs.js';

for (const { name, title, play } of runs) {
  const lanes = await play();
  await writeFile(join(import.meta.dirname, `${name}.svg`), drawLanes({ name, title, lanes }));
}
