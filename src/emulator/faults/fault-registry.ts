import type { AppliedFault } from '../ledger.js';
import type { EmulatorClock } from '../clock.js';
import type { Fault, JobFault } from '../fault.js';
import { readFaults } from './read-faults.js';
import { seededRandom } from '../engine/random.js';

/** The faults of one emulator and their counts of matches. */
export interface FaultRegistry {
  /** Replaces all faults and resets their counts; throws a `TypeError` for an invalid fault. */
  readonly set: (faults: readonly Fault[]) => void;
  /** The faults of this kind, whether they have triggered or not. */
  readonly ofKind: <O extends Fault['on']>(on: O) => readonly FaultOn<O>[];
  /** False while no faults are set: a cheap check before the others. */
  readonly isArmed: () => boolean;
  /** The faults that trigger here; each fault that `matches` counts one more match. */
  readonly trigger: <O extends Fault['on']>(
    on: readonly O[],
    subject: string,
    matches: (fault: FaultOn<O>) => boolean,
  ) => readonly FaultOn<O>[];
  /** Counts an accepted job; the faults that trigger on it hold for its lifetime. */
  readonly acceptJob: (promptId: string, subject: string) => void;
  readonly ofJob: (promptId: string) => readonly JobFault[];
  /** Counts an event of a job, from 1. */
  readonly countEvent: (promptId: string) => number;
  readonly applied: readonly AppliedFault[];
  /** Changes with every `set`; state that belongs to the former faults is invalid from then on. */
  readonly generation: () => number;
  /** When the faults were set. */
  readonly setAt: () => number;
}

/** The faults of this kind. */
export type FaultOn<O extends Fault['on']> = Extract<Fault, { readonly on: O }>;

/** A registry of these faults. */
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
    subject: string,
    matches: (fault: FaultOn<O>) => boolean,
  ) =>
    armed.flatMap(({ fault, triggers }, index) => {
      if (!isOn(fault, on) || !matches(fault) || !triggers()) return [];
      applied.push({ index, fault, struck: subject });
      return [fault];
    });

  set(faults);
  return {
    set,
    trigger,
    applied,
    acceptJob: (promptId, subject) => {
      const hit = trigger(['job'], subject, () => true);
      if (hit.length > 0) jobFaults.set(promptId, hit);
    },
    ofJob: (promptId) => jobFaults.get(promptId) ?? [],
    countEvent: (promptId) => {
      const count = (events.get(promptId) ?? 0) + 1;
      events.set(promptId, count);
      return count;
    },
    ofKind: <O extends Fault['on']>(on: O) =>
      armed.map(({ fault }) => fault).filter((fault): fault is FaultOn<O> => isOn(fault, [on])),
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
  /** Counts one match; true if the fault triggers. */
  readonly triggers: () => boolean;
}

/** Arms a fault; its random draws depend on the seed and its index in the list only. */
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
