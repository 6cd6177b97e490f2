import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { drawLanes } from '../../docs/marbles/draw-lanes.js';
import { root } from '../../scripts/entries.mjs';
import { runs } from '../../docs/diagrams/runs.js';

it.each(runs)('the diagram $name is what the code does', async ({ name, title, play }) => {
  const drawn = drawLanes({ name, title, lanes: await play() });
  expect(readFileSync(join(root, 'docs', 'diagrams', `${name}.svg`), 'utf8')).toBe(drawn);
});
