import * as E from 'fp-ts/lib/Either.js';
import { view } from '../../src/core/http/view.js';
import { addressOf, disguisedHosts, hostileLiterals, internalHosts } from '../helpers/hostile-addresses.js';
import {
  openStorageNetwork,
  type StorageNetwork,
  type StorageNetworkOptions,
} from '../helpers/storage-network.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';

/** Fetches a file that the service sends elsewhere; the name of the error that it ends with, if it does. */
export type Fetch = (network: StorageNetwork) => Promise<string | undefined>;

/** Everything that a redirect may lead to and no download may touch. */
export const noInternalAddresses: Figure = {
  id: 'no-internal-addresses',
  what: 'SSRF corpus: each target as literal, behind a name, among public addresses, by rebinding, by a second redirect (connect hook)',
  target: '0 connections to non-public addresses by default, ≥ 60 targets, each attempt refused by type',
  count: hostileLiterals.length + Object.keys(internalHosts).length + Object.keys(disguisedHosts).length,
  splits: true,
  run: (range) => followTargets(range),
  shortfalls: ({ counts }) => (counts['targets']! >= 60 ? [] : ['fewer than 60 targets']),
};

/** Sends downloads to a range of targets, in each way. */
export const followTargets = async (
  { from, count }: Range,
  fetchFile: Fetch = fetchByView,
): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = {
    targets: 0,
    attempts: 0,
    refused: 0,
    'public hops': 0,
    'connections to non-public addresses': 0,
  };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const target = targets[(seed - 1) % targets.length]!;
    counts.targets += 1;
    for (const [way, networkOf, hops] of ways) {
      await using network = await openStorageNetwork(networkOf(target));
      const error = await fetchFile(network);
      const wrong = network.dialled.filter((address) => address !== publicAddress).length;
      const right = network.dialled.length - wrong;
      counts.attempts += 1;
      counts['public hops'] += right;
      counts['connections to non-public addresses'] += wrong;
      if (error === 'UnsafeRedirect') counts.refused += 1;
      const problem =
        wrong > 0
          ? `${wrong} connections to ${network.dialled.join()}`
          : error !== 'UnsafeRedirect'
            ? `ended with ${error ?? 'a file'}`
            : right !== hops || network.seen.length !== hops
              ? `${right} of ${hops} public hops were asked`
              : undefined;
      if (problem !== undefined)
        problems.push(
          `${target.host} by ${way}: ${problem}; npm run replay -- no-internal-addresses --seed ${seed}`,
        );
    }
  }
  return { counts, problems: [...problems, ...(await seenByProcess())] };
};

const fetchByView: Fetch = async ({ connection }) => {
  const content = await view(connection, { filename: 'a.png' })();
  if (E.isLeft(content)) return content.left._tag;
  content.right.discard();
  return undefined;
};

/** What stands in an address, and what stands behind it. */
interface Target {
  readonly host: string;
  readonly address: string;
}

const targets: readonly Target[] = [
  ...hostileLiterals.map((host) => ({ host, address: addressOf(host) })),
  ...Object.entries({ ...internalHosts, ...disguisedHosts }).map(([host, address]) => ({ host, address })),
];

const publicAddress = '93.184.216.34';
const storage = 'https://files.storage.example/x';

/** How a download may come to a target, and how many public hops go before. */
const ways: readonly (readonly [string, (target: Target) => StorageNetworkOptions, number])[] = [
  ['literal', ({ host, address }) => ({ location: `https://${host}/x`, addresses: () => [address] }), 0],
  ['name', ({ address }) => ({ location: storage, addresses: () => [address] }), 0],
  [
    'name among public ones',
    ({ address }) => ({ location: storage, addresses: () => [publicAddress, address] }),
    0,
  ],
  [
    'rebinding',
    ({ address }) => ({
      location: storage,
      addresses: (_, nth) => [nth === 1 ? publicAddress : address],
      next: (path) => (path === '/x' ? '/y' : undefined),
      hangsUp: true,
    }),
    1,
  ],
  [
    'redirect',
    ({ host, address }) => ({
      location: storage,
      addresses: (name) => [name === new URL(storage).hostname ? publicAddress : address],
      next: (path) => (path === '/x' ? `https://${host}/y` : undefined),
    }),
    1,
  ],
];
