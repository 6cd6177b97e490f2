import type { EmulatorClock } from '../clock.js';
import type { EngineFault } from '../fault.js';
import type { FaultRegistry } from './fault-registry.js';

/** When the outages of a local server begin. */
export interface EngineFaults {
  /** Triggers those that wait for a job to begin. */
  readonly onStarted: (subject: string) => void;
  /** Takes up those of the registry that have a time; those of an earlier list are over. */
  readonly arm: () => void;
  readonly close: () => void;
}

/** What {@link createEngineFaults} works on. */
export interface EngineFaultsOptions {
  readonly registry: FaultRegistry;
  readonly clock: EmulatorClock;
  readonly strike: (fault: EngineFault) => void;
}

/** Waits for nothing before it is armed. */
export const createEngineFaults = ({ registry, clock, strike }: EngineFaultsOptions): EngineFaults => {
  let timers: readonly (() => void)[] = [];
  const trigger = (subject: string, matches: (fault: EngineFault) => boolean): void => {
    for (const fault of registry.trigger(['engine'], subject, matches)) strike(fault);
  };
  const close = (): void => {
    for (const cancel of timers) cancel();
    timers = [];
  };
  return {
    onStarted: (subject) => {
      if (registry.isArmed()) trigger(subject, ({ atMs }) => atMs === undefined);
    },
    arm: () => {
      close();
      timers = registry
        .ofKind('engine')
        .flatMap((fault) =>
          fault.atMs === undefined
            ? []
            : [clock.after(fault.atMs, () => trigger(`${fault.atMs} ms`, (other) => other === fault))],
        );
    },
    close,
  };
};
