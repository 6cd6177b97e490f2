import type { Backend } from '../backend.js';
import { createEngineFaults } from '../faults/engine-faults.js';
import { createLocalBackend } from './local-backend.js';
import { createOutages } from '../server/outages.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import { heldClock } from '../server/held-clock.js';
import type { LedgerLoad } from '../ledger.js';
import { readState, writeState } from '../state/state-text.js';
import type { Server } from 'node:http';
import type { Settings } from '../settings.js';

/** A local server with its process, which faults may end, stop and start again. */
export interface LocalProcess {
  /** Whatever runs now answers. */
  readonly backend: Backend;
  /** Takes up the outages among the faults. */
  readonly arm: () => void;
  readonly loads: readonly LedgerLoad[];
}

/** Starts the process of a local server, which answers at this address. */
export const createLocalProcess = (settings: Settings, faults: FaultInjector, api: Server): LocalProcess => {
  const { clock } = settings;
  const held = heldClock(clock);
  const loads: LedgerLoad[] = [];
  const options = {
    faults,
    onLoad: (model: string) => loads.push({ model, at: clock.now() }),
    onStarted: ({ id }: { readonly id: string }) =>
      engineFaults.onStarted(`begin of job ${faults.jobs.numberOf(id)}`),
  };
  const start = () => createLocalBackend({ ...settings, clock: held }, options);
  let current = start();
  const outages = createOutages({
    ...{ api, clock, held },
    crash: (keeps) => {
      const left = writeState('local', current.crash(keeps));
      return () => {
        current = start();
        current.restore(readState(left, 'local'));
      };
    },
  });
  const engineFaults = createEngineFaults({ registry: faults.registry, clock, strike: outages.strike });
  return {
    backend: {
      apiKey: current.apiKey,
      acceptsKey: (key) => current.acceptsKey(key),
      setBilling: (billing) => current.setBilling(billing),
      answer: (...request) => current.answer(...request),
      acceptSocket: (...handshake) => current.acceptSocket(...handshake),
      notFound: (url) => current.notFound(url),
      jobs: () => current.jobs(),
      serveFile: (...request) => current.serveFile(...request),
      save: () => current.save(),
      restore: (state) => current.restore(state),
      stop: () => {
        engineFaults.close();
        outages.close();
        current.stop();
      },
    },
    arm: engineFaults.arm,
    loads,
  };
};
