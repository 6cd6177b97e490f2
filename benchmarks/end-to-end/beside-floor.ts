import { lastValueFrom } from 'rxjs';
import { createClient } from '../../src/node.js';
import { floorRunner } from '../baseline/end-to-end.js';
import type { Row } from '../row.js';
import { instantWorkflow, type ServiceKind, startEmulatorProcess } from '../tools/emulator.js';
import { inTurns, type Turns } from '../tools/in-turns.js';

/**
 * Jobs of a turn, in sequence and at once. No fewer: the garbage collection before each turn takes hidden classes along that
 * nothing is left of, and with them code that was compiled for them, so that the first few hundred jobs take twice the
 * processor's time, in either way.
 */
const count = 1000;

/** The services that the script is compared at, and how the rows name them. */
const services = {
  interface: { dialect: 'cloud', kind: { profile: 'interface' }, name: 'the interface document' },
  cloud: { dialect: 'cloud', kind: { profile: '2026-11' }, name: 'the cloud of today' },
  engine: { dialect: 'local', kind: { engine: 'latest' }, name: 'the engine of today' },
} as const satisfies Readonly<
  Record<string, { readonly dialect: 'cloud' | 'local'; readonly kind: ServiceKind; readonly name: string }>
>;

/**
 * Jobs one after the other, and all at once, beside the script. Both ask one process, since of two that run the same
 * service one may take a third longer than the other for a whole run. In a cloud each has an account of its own, whose events go
 * to none but its sockets; an engine sends each socket its own jobs' events, and all of them the length of its queue.
 */
export const besideFloor = async (at: keyof typeof services): Promise<readonly Row[]> => {
  const { dialect, kind, name } = services[at];
  const service = await startEmulatorProcess(dialect, kind);
  const { baseUrl, wsUrl } = service;
  const client = createClient({
    baseUrl,
    dialect,
    ...(dialect === 'cloud' && { apiKey: service.apiKey }),
    tier: 'unlimited',
    // The script keeps to no budget: what a job costs is asked here, not how fast a service may be asked.
    requestBudget: { perSecond: 100_000, burst: 100_000 },
  });
  const floor = await floorRunner({
    baseUrl,
    wsUrl,
    ...(dialect === 'cloud' && { apiKey: service.otherKey }),
  });
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
  return [row(`in sequence, ${name}`, inSequence, 1.8), row(`1,000 at once, ${name}`, atOnce, 2)];
};

type RunOne = () => Promise<unknown>;

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
