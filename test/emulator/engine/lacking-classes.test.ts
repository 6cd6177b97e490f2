import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { coreClasses } from './core-classes.js';
import { nodeClasses } from '../../../src/emulator/engine/node-classes.js';

const guide = readFileSync(new URL('../../../docs/guide/testing.md', import.meta.url), 'utf8');

/** The classes in the first column of the table below a heading. */
const classesBelow = (heading: string): readonly string[] => {
  const [, below = ''] = guide.split(`### ${heading}\n`);
  const [section = ''] = below.split(/\n##/u);
  return [...section.matchAll(/^\| (`[^|]*)\|/gmu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z]\w+)`/gu)].map(([, name = '']) => name),
  );
};

it('M11 plays each class of the engine that takes no model', () => {
  expect(coreClasses).toHaveLength(199);
  expect(coreClasses.filter((name) => !nodeClasses.has(name))).toEqual([]);
});

it('M11 plays each class of which the guide says that it needs ffmpeg', () => {
  const needing = classesBelow('Codecs by ffmpeg');
  expect(needing).toHaveLength(9);
  expect(needing.filter((name) => !nodeClasses.has(name))).toEqual([]);
});
