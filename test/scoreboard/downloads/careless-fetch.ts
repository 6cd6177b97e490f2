import { request } from 'node:http';
import type { LookupFunction } from 'node:net';
import { hostClass } from '../../../src/core/platform/host-class.js';
import type { StorageNetwork } from '../../helpers/storage-network.js';
import type { Fetch } from '../no-internal-addresses.js';

/** What a client asks before it goes where it is sent. */
type Check = (network: StorageNetwork, url: URL) => Promise<boolean> | boolean;

/** A client that follows every redirect which its own `check` lets pass. */
const following =
  (check: Check): Fetch =>
  async (network) => {
    const { platform, urls } = network.connection;
    const url = `${urls.api('/api/view')}?filename=x`;
    const first = await platform.request({ method: 'GET', url, headers: {} });
    let next = first.headers['location'];
    for (let hop = 0; next !== undefined && hop < 20; hop += 1) {
      const url: URL = new URL(next, next);
      if (!(await check(network, url))) return 'UnsafeRedirect';
      next = await locationOf(network, url);
    }
    return undefined;
  };

const locationOf = ({ lookup, connect }: StorageNetwork, url: URL): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    const outgoing = request({
      host,
      path: url.pathname,
      createConnection: () => connect({ host, port: 0, lookup }),
    });
    outgoing.on('response', ({ headers: { location } }) => {
      resolve(location === undefined ? undefined : new URL(location, url).href);
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });

const isPublic = ({ hostname }: URL): boolean => hostClass(hostname) === 'public';

const resolved = (lookup: LookupFunction, name: string): Promise<readonly string[]> =>
  new Promise((resolve) =>
    lookup(name, { all: true }, (_, found) =>
      resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found]),
    ),
  );

/** Clients with a hole each. */
export const carelessFetches = {
  'follows wherever it is sent': following(() => true),
  'looks at the text of an address only': following((_, url) => isPublic(url)),
  'looks at the first of several addresses': following(async ({ lookup }, url) => {
    if (!isPublic(url)) return false;
    const [first = ''] = await resolved(lookup, url.hostname);
    return isPublic(new URL(`http://${first.includes(':') ? `[${first}]` : first}/`));
  }),
} as const;
