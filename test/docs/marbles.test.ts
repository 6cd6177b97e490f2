import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagrams } from '../../docs/marbles/diagrams.js';
import { draw } from '../../docs/marbles/draw.js';

const root = join(import.meta.dirname, '..', '..');
const operators = readdirSync(join(root, 'src', 'core', 'operators')).map((name) => name.replace('.ts', ''));
const helpers = ['brief', 'conflation'];

describe('marble pictures', () => {
  it('show every operator', () => {
    const shown = diagrams.map(({ name }) => name);
    expect(shown.toSorted()).toEqual(operators.filter((name) => !helpers.includes(name)).toSorted());
  });

  it.each(diagrams)('$name is as drawn, and stands in the guide', (diagram) => {
    const file = `marbles/${diagram.name}.svg`;
    expect(readFileSync(join(root, 'docs', file), 'utf8')).toBe(draw(diagram));
    expect(readFileSync(join(root, 'docs/guide/operators.md'), 'utf8')).toContain(`](../${file})`);
  });
});
