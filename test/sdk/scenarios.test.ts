import { describe, expect, it } from 'vitest';
import { allScenarios } from './all-scenarios.js';
import { emulatorTarget } from './emulator-target.js';
import { accepted } from './judge.js';

describe('the 52 scenarios', () => {
  it('are numbered from 1 to 52, and the board plays three of them', () => {
    expect(allScenarios.map(({ number }) => number)).toEqual(Array.from({ length: 52 }, (_, at) => at + 1));
    const slow = allScenarios.filter(({ play }) => play === undefined).map(({ number }) => number);
    expect(slow).toEqual([7, 20, 42]);
    expect(allScenarios.every(({ play, long }) => (play ?? long) !== undefined)).toBe(true);
  });
});

describe.concurrent('the SDK against the emulator', () => {
  for (const { number, title, by, play } of allScenarios) {
    if (play === undefined) continue;
    it(`${number} (${by}) ${title}`, async () => {
      await using target = await emulatorTarget();
      await play(target);
    });
  }
});

describe("the SDK's schemas", () => {
  it('have accepted answers and events of every kind', () => {
    expect(Object.keys(accepted).sort()).toEqual([
      ...[
        'asset',
        'error',
        'error event',
        'job',
        'output event',
        'progress event',
        'status event',
        'workflow',
      ],
    ]);
  });
});
