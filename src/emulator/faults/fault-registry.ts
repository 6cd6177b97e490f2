import type { AppliedFault } from '../ledger.js';
import type { EmulatorClock } from '../clock.js';
import type { Fault, JobFault } from './fault.js';
import { readFaults } from './read-faults.js';
import { seededRandom } from '../engine/random.js';

/** Holds the faults of one emulator, and says which of them strike. */
export interface FaultRegistry {
  /** Replaces all faults and begins to count anew; throws a `TypeError` where one of them has no sense. */
  readonly set: (faults: readonly Fault[]) => void;
  /** False as long as no faults are set, so that nobody has to ask. */
  readonly isArmed: () => boolean;
  /** The faults that strike here; every one that `matches` counts one match more. */
  readonly trigger: <O extends Fault['on']>(
    on: readonly O[],
    struck: string,
    matches: (fault: FaultOn<O>) => boolean,
  ) => readonly FaultOn<O>[];
  /** Counts an accepted job; the faults that strike it hold for the rest of its life. */
  readonly acceptJob: (promptId: string, struck: string) => void;
  readonly ofJob: (promptId: string) => readonly JobFault[];
  /** Counts an event of a job, from 1. */
  readonly countEvent: (promptId: string) => number;
  readonly applied: readonly AppliedFault[];
  /** Changes with every `set`: whoever remembers anything of the faults before forgets it then. */
  readonly generation: () => number;
  /** When the faults were set. */
  readonly setAt: () => number;
}

/** The faults of this kind. */
export type FaultOn<O extends Fault['on']> = Extract<Fault, { readonly on: O }>;

/** A machine with these faults. */
export const createFaultRegistry = (
  faults: readonly Fault[],
  seed: number,
  { now }: Pick<EmulatorClock, 'now'>,
): FaultRegistry => {
  let armed: readonly ArmedFault[] = [];
  let generation = 0;
  let setAt = now();
  const applied: AppliedFault[] = [];
  const jobFaults = new Map<string, readonly JobFault[]>();
  const events = new Map<string, number>();

  const set = (next: readonly Fault[]): void => {
    const read = readFaults(next);
    if ('problems' in read) throw new TypeError(read.problems.join('\n'));
    armed = read.faults.map((fault, index) => armFault(fault, index, seed));
    generation += 1;
    setAt = now();
  };

  const trigger: FaultRegistry['trigger'] = <O extends Fault['on']>(
    on: readonly O[],
    struck: string,
    matches: (fault: FaultOn<O>) => boolean,
  ) =>
    armed.flatMap(({ fault, triggers: strikes }, index) => {
      if (!isOn(fault, on) || !matches(fault) || !strikes()) return [];
      applied.push({ index, fault, struck });
      return [fault];
    });

  set(faults);
  return {
    set,
    trigger: trigger,
    applied,
    acceptJob: (promptId, struck) => {
      const hit = trigger(['job'], struck, () => true);
      if (hit.length > 0) jobFaults.set(promptId, hit);
    },
    ofJob: (promptId) => jobFaults.get(promptId) ?? [],
    countEvent: (promptId) => {
      const count = (events.get(promptId) ?? 0) + 1;
      events.set(promptId, count);
      return count;
    },
    isArmed: () => armed.length > 0,
    generation: () => generation,
    setAt: () => setAt,
  };
};

const isOn = <O extends Fault['on']>(fault: Fault, on: readonly O[]): fault is FaultOn<O> =>
  (on as readonly string[]).includes(fault.on);

/** A fault with its count of matches. */
interface ArmedFault<F extends Fault = Fault> {
  readonly fault: F;
  /** Counts one match, and says whether it is struck. */
  readonly triggers: () => boolean;
}

/** Arms a fault; its chances come from the seed and its place in the list, whatever other faults do. */
export const armFault = (fault: Fault, index: number, seed: number): ArmedFault => {
  const { nth = 1, times = defaultTimes(fault), chance = 1 } = fault;
  const draw = seededRandom(BigInt(Math.trunc(seed)), `fault ${index}`);
  const end = times === 'every' ? Infinity : nth + times;
  let matches = 0;
  return {
    fault,
    triggers: () => {
      matches += 1;
      return matches >= nth && matches < end && (chance === 1 || draw() < chance);
    },
  };
};

const defaultTimes = (fault: Fault): number | 'every' =>
  fault.on === 'rest' && ['vanish', 'flicker', 'lag'].includes(fault.do) ? 'every' : 1;
