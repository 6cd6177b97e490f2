import {
  addressOf,
  disguisedHosts,
  hostileLiterals,
  internalHosts,
} from '../../helpers/hostile-addresses.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import { openStorageNetwork, type StorageNetworkOptions } from '../../helpers/storage-network.js';
import type { WebhookSender } from '../../../src/server/gateway/webhooks/webhook-sender.js';
import { webhookSender } from '../../../src/gateway-node.js';

const publicAddress = '93.184.216.34';
const name = 'https://hooks.example/x';

/** Where webhooks may not go: what stands in an address, and what stands behind it. */
export const webhookWalls: readonly (readonly [host: string, address: string])[] = [
  ...hostileLiterals.map((host) => [host, addressOf(host)] as const),
  ...Object.entries({ ...internalHosts, ...disguisedHosts }),
];

/** What came of {@link tryWall}. */
export interface Tried {
  readonly attempts: number;
  /** Connections to an address that is not public. */
  readonly connections: number;
  readonly refused: number;
}

/** Sends messages to a target in each way that may lead there: as it stands, behind a name, among public addresses, and by rebinding. */
export const tryWall = async (
  [host, address]: readonly [host: string, address: string],
  senderOf: (platform: Parameters<typeof webhookSender>[0]) => WebhookSender = webhookSender,
): Promise<Tried> => {
  const ways: readonly (readonly [
    urls: readonly string[],
    options: Omit<StorageNetworkOptions, 'location'>,
  ])[] = [
    [[`https://${host}/x`, `http://${host}/x`, name], { addresses: () => [address] }],
    [[name], { addresses: () => [publicAddress, address] }],
    [[name, name], { addresses: (_, nth) => [nth === 1 ? publicAddress : address], hangsUp: true }],
  ];
  const tried = { attempts: 0, connections: 0, refused: 0 };
  for (const [urls, options] of ways) {
    await using network = await openStorageNetwork({ location: undefined, ...options });
    const sender = senderOf(nodePlatform(network));
    for (const url of urls) {
      tried.attempts += 1;
      const request = {
        url,
        headers: {},
        body: '{}',
        anyAddress: false,
        signal: new AbortController().signal,
      };
      await sender.send(request).catch((error: unknown) => {
        if ((error as { readonly code?: unknown }).code === 'EADDRCLASS') tried.refused += 1;
      });
    }
    tried.connections += network.dialled.filter((one) => one !== publicAddress).length;
    await sender.close?.();
  }
  return tried;
};
