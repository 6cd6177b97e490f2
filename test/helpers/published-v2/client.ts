import { createClientOn } from '../../../src/client.js';
import { fileAccess } from '../../../src/files/file-access.js';
import { nodePlatform } from '../../../src/platform/node.js';
import { hurriedBy } from '../emulated.js';
import { canary } from '../http-connection.js';
import type { PublishedService } from './service.js';

/** A client of API v2 for which time passes twenty times faster. */
export const publishedClient = ({ baseUrl }: Pick<PublishedService, 'baseUrl'>) => {
  const client = createClientOn(
    { ...nodePlatform(), ...hurriedBy(20)() },
    { baseUrl, apiKey: canary, dialect: 'v2' },
    fileAccess,
  );
  return { client, [Symbol.asyncDispose]: () => client.close() };
};
