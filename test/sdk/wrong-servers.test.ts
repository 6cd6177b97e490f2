import { describe, expect, it } from 'vitest';
import { allScenarios } from './all-scenarios.js';
import { emulatorTarget } from './emulator-target.js';
import { playScenarios } from './play-scenarios.js';
import { relayTo } from './relay.js';
import type { Scenario } from './scenario.js';
import type { DisposableTarget, Habits } from './target.js';
import { type WrongServer, wrongServers } from './wrong-servers.js';

/** The emulator behind a relay that makes its mistake. */
const mistaken = async (changes: WrongServer['changes'], habits: Habits = {}): Promise<DisposableTarget> => {
  const target = await emulatorTarget(habits);
  const relay = await relayTo(target.baseUrl, changes);
  return {
    ...target,
    baseUrl: relay.baseUrl,
    fresh: (more) => mistaken(changes, more),
    [Symbol.asyncDispose]: async () => {
      await relay[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
};

/** The scenarios of these numbers, without their long parts. */
const shortOnes = (numbers: readonly number[]): readonly Scenario[] =>
  allScenarios
    .filter(({ number }) => numbers.includes(number))
    .map((scenario) => ({ ...scenario, long: undefined }));

describe.concurrent('a wrong server', () => {
  it.each(wrongServers)('is noticed that $wrong', async ({ changes, noticedBy }) => {
    const played = await playScenarios(shortOnes(noticedBy), () => mistaken(changes));
    const noticed = played.filter(({ outcome }) => outcome instanceof Error);
    expect(noticed.map(({ scenario }) => scenario.number).sort()).toEqual([...noticedBy].sort());
  });

  it('is none where nothing is changed', async () => {
    const played = await playScenarios(shortOnes([2, 19, 31, 35, 43, 52]), () => mistaken({}));
    expect(played).toHaveLength(6);
    expect(played.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });
});
