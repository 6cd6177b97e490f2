import { describe, expect, it, onTestFinished } from 'vitest';
import {
  addressOf,
  disguisedHosts,
  hostileLiterals,
  internalHosts,
} from '../../helpers/hostile-addresses.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import { openStorageNetwork, type StorageNetworkOptions } from '../../helpers/storage-network.js';
import { webhookSender } from '../../../src/gateway-node.js';

const publicAddress = '93.184.216.34';
const name = 'https://hooks.example/x';

const targets: readonly (readonly [host: string, address: string])[] = [
  ...hostileLiterals.map((host) => [host, addressOf(host)] as const),
  ...Object.entries({ ...internalHosts, ...disguisedHosts }),
];

/** A sender whose connections all end at one loopback server, and the addresses that it believes to connect to. */
const aSender = async (options: Omit<StorageNetworkOptions, 'location'>) => {
  const network = await openStorageNetwork({ location: undefined, ...options });
  const sender = webhookSender(nodePlatform(network));
  const send = (url: string): Promise<unknown> =>
    sender
      .send({ url, headers: {}, body: '{}', anyAddress: false, signal: new AbortController().signal })
      .catch((error: unknown) => (error as { readonly code?: unknown }).code);
  onTestFinished(async () => {
    await sender.close?.();
    await network[Symbol.asyncDispose]();
  });
  return { send, network };
};

describe('a sender of webhooks connects to no address that is not public', () => {
  it('has all of the corpus', () => {
    expect(targets).toHaveLength(79);
  });

  it.each(targets)('%s (%s)', async (host, address) => {
    const literal = await aSender({ addresses: () => [address] });
    expect(await literal.send(`https://${host}/x`)).toBe('EADDRCLASS');
    expect(await literal.send(`http://${host}/x`)).toBe('EADDRCLASS');
    expect(await literal.send(name)).toBe('EADDRCLASS');
    const among = await aSender({ addresses: () => [publicAddress, address] });
    expect(await among.send(name)).toBe('EADDRCLASS');
    expect([...literal.network.dialled, ...among.network.dialled]).toEqual([]);

    const rebinding = await aSender({
      addresses: (_, nth) => [nth === 1 ? publicAddress : address],
      hangsUp: true,
    });
    expect([await rebinding.send(name), await rebinding.send(name)]).toEqual([{ status: 200 }, 'EADDRCLASS']);
    const redirect = await aSender({
      addresses: () => [publicAddress],
      next: (path) => (path === '/x' ? `https://${host}/y` : undefined),
    });
    expect(await redirect.send(name)).toMatchObject({ status: 302 });
    expect([...rebinding.network.dialled, ...redirect.network.dialled]).toEqual([
      publicAddress,
      publicAddress,
    ]);
    expect(redirect.network.seen.map(({ url }) => url)).toEqual(['/x']);
  });
});
