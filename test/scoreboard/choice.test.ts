import { describe, expect, it } from 'vitest';
import { derivedFigures, figures, groups } from './board.js';
import { choose } from './choice.js';

const offer = {
  figures: [{ id: 'S1' }, { id: 'S7' }, { id: 'S8 cases', isPart: true }, { id: 'W1' }],
  derived: [{ id: 'S2' }, { id: 'S8', overAll: true }],
  groups: { client: ['S1', 'S7', 'S2', 'S8'], workflow: ['W1'] },
} as const;

describe('the arguments of the scoreboard', () => {
  it.each([
    [[], ['S1', 'S7', 'S2', 'S8'], { isWhole: true, isKept: true, scale: 1 }],
    [['client'], ['S1', 'S7', 'S2', 'S8'], { isWhole: true, isKept: true }],
    [['workflow'], ['W1'], { isWhole: false, isKept: false }],
    [['workflow', '--keep'], ['W1'], { isWhole: false, isKept: true }],
    [['S7', 'S2', '--keep'], ['S7', 'S2'], { isWhole: false, isKept: true }],
    [['--scale', '0.1'], ['S1', 'S7', 'S2', 'S8'], { isWhole: true, isKept: false, scale: 0.1 }],
    [['S1', '--scale', '0.1', 'S7'], ['S1', 'S7'], { scale: 0.1, isKept: false }],
  ] as const)('%j choose %j', (argv, ids, more) => {
    expect(choose(argv, offer)).toMatchObject({ ids, ...more });
  });

  it.each([
    [['cleint'], 'there is no cleint, only client, workflow, S1, S7, W1, S2, S8'],
    [['S8 cases'], 'there is no S8 cases, only client, workflow, S1, S7, W1, S2, S8'],
    [['--scale', 'x'], 'the scale is a number above 0'],
    [['S1', '--scale', '0.1', '--keep'], 'only whole figures are kept, not those of --scale 0.1'],
    [['S1', 'S8', '--keep'], 'S8 is of all figures: only a run of the whole board keeps it'],
  ] as const)('%j are refused: %s', (argv, why) => {
    expect(choose(argv, offer)).toBe(why);
  });

  it('name every figure of the board in one group', () => {
    const all = [...figures.filter(({ isPart }) => isPart !== true), ...derivedFigures].map(({ id }) => id);
    expect(Object.values(groups).flat().toSorted()).toEqual(all.toSorted());
  });
});
