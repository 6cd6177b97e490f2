import type { Client } from '../../../src/client/client-types.js';
import { clientWith } from '../../helpers/client-with.js';

/** Clients that leave something behind: {@link leakWatch} has to see it. */
export const plants: Readonly<Record<string, (client: Client, signal: AbortSignal) => Client>> = {
  'a timer': (client) => {
    setInterval(() => undefined, 60_000);
    return client;
  },
  'a socket': (client) => clientWith(client, { close: () => Promise.resolve() }),
  'an abort listener': (client, signal) => {
    signal.addEventListener('abort', () => undefined);
    return client;
  },
  'a process listener': (client) => {
    process.on('SIGUSR2', () => undefined);
    return client;
  },
  memory: (client) => {
    kept.push(new Array<number>(4_000_000).fill(1));
    return client;
  },
};

const kept: unknown[] = [];
