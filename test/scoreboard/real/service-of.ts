import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { type Emulator, startEmulator } from '../../../src/emulator.js';
import { eventually } from './eventually.js';
import type { RealPlan } from './plan.js';

/** The service of one run, which may not be there yet. */
export interface Service {
  readonly addresses: { readonly baseUrl: string; readonly wsUrl?: string };
  /** Resolves with the emulator; one that starts late waits until the client has found no service. */
  readonly start: (isMissed: () => boolean) => Promise<Emulator>;
}

/** Starts the emulator of a run, or finds a place for it. */
export const serviceOf = async (plan: RealPlan, apiKey: string): Promise<Service> => {
  const options = {
    speed: plan.speed,
    seed: plan.seed,
    tier: 'pro',
    acceptKeys: [apiKey],
    faults: plan.strikes.flatMap(({ faults }) => faults),
  } as const;
  if (plan.startsLate !== true) {
    const emulator = await startEmulator(options);
    return {
      addresses: addressesOf(plan, new URL(emulator.baseUrl).host),
      start: () => Promise.resolve(emulator),
    };
  }
  const port = await unusedPort(plan.seed);
  return {
    addresses: addressesOf(plan, `127.0.0.1:${port}`),
    start: async (isMissed) => {
      await eventually(isMissed, 20_000);
      return startEmulator({ ...options, port });
    },
  };
};

const addressesOf = ({ strikes }: RealPlan, host: string): Service['addresses'] => {
  const tls = new Set(strikes.map((strike) => strike.tls));
  if (tls.has('api')) return { baseUrl: `https://${host}`, wsUrl: `wss://${host}` };
  return { baseUrl: `http://${host}`, wsUrl: `${tls.has('socket') ? 'wss' : 'ws'}://${host}` };
};

/**
 * A port without a listener. It is below those that the system gives away by itself, and differs between processes,
 * so that no other process takes it before the emulator does.
 */
const unusedPort = async (seed: number): Promise<number> => {
  for (let attempt = 0; ; attempt += 1) {
    const wanted = 12_000 + ((process.pid * 61 + seed + attempt * 997) % 18_000);
    const server = createServer();
    try {
      server.listen(wanted, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
};
