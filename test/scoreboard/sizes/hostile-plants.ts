import { map } from 'rxjs';
import { type Client, type ClientOptions, createClient } from '../../../src/node.js';
import { clientWith } from '../../helpers/client-with.js';

/** Clients that one hostile size breaks. */
export type HostilePlant = 'takes messages of any size' | 'ends jobs without their outputs';

export const hostilePlants: Readonly<Record<HostilePlant, (options: ClientOptions) => Client>> = {
  'takes messages of any size': (options) => createClient({ ...options, maxMessageBytes: 256 * 1024 * 1024 }),
  'ends jobs without their outputs': (options) => {
    const client = createClient(options);
    const run: Client['run'] = (...args) =>
      client.run(...args).pipe(map((state) => ({ ...state, outputs: {} })));
    return clientWith(client, { run });
  },
};
