import { lastValueFrom } from 'rxjs';
import { createClient } from '../../src/node.js';
import { floorRunner } from '../baseline/end-to-end.js';
import type { Profile } from '../../src/emulator.js';
import type { Row } from '../row.js';
import { instantWorkflow, startEmulatorProcess } from '../tools/emulator.js';
import { inTurns, type Turns } from '../tools/in-turns.js';

/**
 * Jobs of a turn, in sequence and at once. No fewer: the garbage collection before each turn takes hidden classes along that
 * nothing is left of, and with them code that was compiled for them, so that the first few hundred jobs take twice the
 * processor's time, in either way.
 */
const count = 1000;

/**
 * Jobs one after the other, and all at once, beside the script. Both ask one process, since of two that run the same
 * service one may take a third longer than the other for a whole run; and each has an account of its own, whose events go
 * to none but its sockets.
 */
export const besideFloor = async (profile: Profile = 'interface'): Promise<readonly Row[]> => {
  const service = await startEmulatorProcess('cloud', { profile });
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    tier: 'unlimited',
    // The script keeps to no budget: what a job costs is asked here, not how fast a service may be asked.
    requestBudget: { perSecond: 100_000, burst: 100_000 },
  });
  const floor = await floorRunner(service.baseUrl, service.wsUrl, service.otherKey);
  const ours: RunOne = async () => {
    const { phase, outputs } = await lastValueFrom(client.run(instantWorkflow));
    if (phase !== 'completed') throw new Error(`a job ended as ${phase}`);
    return outputs;
  };
  const theirs: RunOne = () => floor.run(instantWorkflow);
  const inSequence = await inTurns(
    { promptwire: sequence(ours), floor: sequence(theirs) },
    { rounds: 11, warmUps: 2 },
  );
  const atOnce = await inTurns(
    { promptwire: together(ours), floor: together(theirs) },
    { rounds: 7, warmUps: 1 },
  );
  await client.close();
  await floor.close();
  await service.end();
  return [
    row(`in sequence, ${years[profile]}`, inSequence, 1.8),
    row(`1,000 at once, ${years[profile]}`, atOnce, 2),
  ];
};

type RunOne = () => Promise<unknown>;

const years: Readonly<Record<Profile, string>> = {
  interface: 'the interface document',
  '2026': 'the cloud of 2026',
  '2026-11': 'the cloud of today',
};

const row = (what: string, turns: Turns<'promptwire' | 'floor'>, atMost: number): Row => ({
  what,
  unit: 'ms/job',
  ours: (turns.seconds('promptwire') / count) * 1000,
  baseline: (turns.seconds('floor') / count) * 1000,
  ratio: turns.ratio('promptwire', 'floor'),
  target: { atMost },
});

const sequence = (run: RunOne) => async (): Promise<undefined> => {
  for (let job = 0; job < count; job += 1) await run();
};

const together = (run: RunOne) => async (): Promise<undefined> => {
  await Promise.all(Array.from({ length: count }, run));
};
