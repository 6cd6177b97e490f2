import { map } from 'rxjs';
import { createClientOn } from '../../../src/client.js';
import { fileAccess } from '../../../src/files/file-access.js';
import { type Client, type ClientOptions, createClient } from '../../../src/node.js';
import { nodePlatform } from '../../../src/platform/node.js';
import { openNodeSocket } from '../../../src/platform/node/socket.js';
import { clientWith } from '../../helpers/client-with.js';

/** Clients that one hostile size breaks. */
export type HostilePlant = 'takes messages of any size' | 'ends jobs without their outputs';

export const hostilePlants: Readonly<Record<HostilePlant, (options: ClientOptions) => Client>> = {
  'takes messages of any size': (options) =>
    createClientOn(
      { ...nodePlatform(), openSocket: openNodeSocket({ maxPayload: 256 * 1024 * 1024 }) },
      options,
      fileAccess,
    ),
  'ends jobs without their outputs': (options) => {
    const client = createClient(options);
    const run: Client['run'] = (...args) =>
      client.run(...args).pipe(map((state) => ({ ...state, outputs: {} })));
    return clientWith(client, { run });
  },
};
