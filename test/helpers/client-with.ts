import type { Client } from '../../src/client/client-types.js';

/** The client with some of its members in place of its own; the client itself stays as it is. */
export const clientWith = (client: Client, members: Partial<Client>): Client =>
  Object.assign(Object.create(client) as Client, members);
