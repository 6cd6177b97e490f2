import { describe, expect, it } from 'vitest';
import { derivedFigures, figures, groups } from './board.js';
import { choose } from './choice.js';

const offer = {
  figures: [
    { id: 'no-leaks' },
    { id: 'soak' },
    { id: 'secret-cases', isPart: true },
    { id: 'hostile-graphs' },
    { id: 'takeover' },
  ],
  derived: [{ id: 'fault-coverage' }, { id: 'no-secret-shown', overAll: true }],
  groups: {
    client: ['no-leaks', 'soak', 'fault-coverage', 'no-secret-shown'],
    workflow: ['hostile-graphs'],
    queue: ['takeover'],
  },
} as const;

const known =
  'client, workflow, queue, no-leaks, soak, hostile-graphs, takeover, fault-coverage, no-secret-shown';

describe('the arguments of the scoreboard', () => {
  it.each([
    [[], offer.groups.client, { isWhole: true, isKept: true, scale: 1 }],
    [['client'], offer.groups.client, { isWhole: true, isKept: true }],
    [['workflow'], ['hostile-graphs'], { isWhole: false, isKept: false }],
    [['workflow', '--keep'], ['hostile-graphs'], { isWhole: false, isKept: true }],
    [['soak', 'fault-coverage', '--keep'], ['soak', 'fault-coverage'], { isWhole: false, isKept: true }],
    [['--scale', '0.1'], offer.groups.client, { isWhole: true, isKept: false, scale: 0.1 }],
    [['no-leaks', '--scale', '0.1', 'soak'], ['no-leaks', 'soak'], { scale: 0.1, isKept: false }],
    // The numbers that they had before.
    [['D3'], ['takeover'], { isWhole: false, isKept: false }],
    [['S22', 'S2', '--keep'], ['soak', 'fault-coverage'], { isKept: true }],
  ] as const)('%j choose %j', (argv, ids, more) => {
    expect(choose(argv, offer)).toMatchObject({ ids, ...more });
  });

  it.each([
    [['cleint'], `there is no cleint, only ${known}`],
    [['secret-cases'], `there is no secret-cases, only ${known}`],
    [['D99'], `there is no D99, only ${known}`],
    [['--scale', 'x'], 'the scale is a number above 0'],
    [['soak', '--scale', '0.1', '--keep'], 'only whole figures are kept, not those of --scale 0.1'],
    [
      ['soak', 'no-secret-shown', '--keep'],
      'no-secret-shown is of all figures: only a run of the whole board keeps it',
    ],
  ] as const)('%j are refused: %s', (argv, why) => {
    expect(choose(argv, offer)).toBe(why);
  });

  it('name every figure of the board in one group', () => {
    const all = [...figures.filter(({ isPart }) => isPart !== true), ...derivedFigures].map(({ id }) => id);
    expect(Object.values(groups).flat().toSorted()).toEqual(all.toSorted());
  });
});
