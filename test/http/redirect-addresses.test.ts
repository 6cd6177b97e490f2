import { addressOf, hostileLiterals, internalHosts } from '../helpers/hostile-addresses.js';
import { bodyText } from '../helpers/body-text.js';
import { canary, leftOf, rightOf } from '../helpers/http-connection.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspect } from 'node:util';
import {
  openStorageNetwork,
  type StorageNetwork,
  type StorageNetworkOptions,
} from '../helpers/storage-network.js';
import { view } from '../../src/core/http/view.js';

const file = { filename: 'a.png' };

/** What a resolver could give for each of the literals. */
const addresses = [...new Set(hostileLiterals.map(addressOf)), 'fe80::1%lo', '::ffff:192.168.0.1'];

/** A network that ends with the test. */
const storageNetwork = async (options: StorageNetworkOptions): Promise<StorageNetwork> => {
  const network = await openStorageNetwork(options);
  onTestFinished(() => network[Symbol.asyncDispose]());
  return network;
};

const refused = async (options: StorageNetworkOptions, dialled: readonly string[] = []): Promise<void> => {
  const network = await storageNetwork(options);
  const error = leftOf(await view(network.connection, file)());
  expect(error).toMatchObject({ _tag: 'UnsafeRedirect', retry: 'never' });
  expect(network.dialled).toEqual(dialled);
};

describe('an address that a download is sent to', () => {
  it.each([...hostileLiterals, ...Object.keys(internalHosts)])(
    'G3 is not asked where it is %s',
    async (host) => {
      await refused({ location: `https://${host}/x` });
      await refused({ location: `https://${host}:8443/x` });
      await refused({ location: '//' + host + '/x' });
    },
  );

  it.each(addresses)('G3 is not asked where its name leads to %s, alone or among others', async (address) => {
    const location = 'https://storage.example/x';
    await refused({ location, addresses: () => [address] });
    await refused({ location, addresses: () => ['93.184.216.34', address] });
  });

  it('G3 is looked at again where its name leads elsewhere by then', async () => {
    const location = 'https://storage.example/x';
    const network = await storageNetwork({
      location,
      addresses: (_, nth) => [nth === 1 ? '93.184.216.34' : '169.254.169.254'],
      next: (path) => (path === '/x' ? 'https://other.example/y' : undefined),
    });
    expect(leftOf(await view(network.connection, file)())).toMatchObject({
      _tag: 'UnsafeRedirect',
      host: 'other.example',
    });
    expect(network.dialled).toEqual(['93.184.216.34']);
  });

  it('G2 G3 is looked at on each hop', async () => {
    for (const host of ['127.0.0.1', '[::ffff:10.0.0.1]', '2852039166']) {
      const next = (path: string): string | undefined => (path === '/x' ? `https://${host}/` : undefined);
      await refused({ location: 'https://storage.example/x', next }, ['93.184.216.34']);
    }
  });

  it.each([
    ['http://127.0.0.1:9/x', 'http://localhost:1'],
    ['http://[::1]:9/x', 'http://127.0.0.1:1'],
    ['https://192.168.1.9/x', 'https://10.0.0.1'],
    ['https://nas.lan/x', 'https://10.0.0.1'],
    ['https://storage.example/x', 'https://service.example'],
    ['https://[2606:4700::1111]/x', 'https://service.example'],
    ['https://storage.example/x', 'http://127.0.0.1:1'],
  ])(
    'G3 is asked where it is of the class of the base URL, or public: %s from %s',
    async (location, baseUrl) => {
      const own = location.includes('nas') ? '192.168.1.9' : '93.184.216.34';
      const network = await storageNetwork({ location, baseUrl, addresses: () => [own] });
      expect(await bodyText(rightOf(await view(network.connection, file)()))).toBe('bytes');
      expect(network.dialled).toHaveLength(1);
    },
  );

  it.each(['nas.lan', 'intranet'])(
    'G3 is not asked where %s of a private network is this machine',
    async (host) => {
      const baseUrl = 'https://10.0.0.1';
      await refused({ location: `https://${host}/`, baseUrl, addresses: () => ['127.0.0.1'] });
      await refused({ location: `https://${host}/`, baseUrl, addresses: () => ['169.254.169.254'] });
      await refused({ location: `https://${host}/`, baseUrl, addresses: () => ['fd00:ec2::254'] });
    },
  );

  it.each([
    'http://storage.example/x',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'ftp://storage.example/x',
    'blob:https://storage.example/x',
    `${'a'.repeat(300)}:x`,
    'https://user:secret@storage.example/x',
    'https://user@storage.example/x',
    'https://',
    'https://[::1',
    'https://exa mple/',
    ' ',
    '',
    undefined,
  ])('G4 is not followed where it is %.40s', async (location) => {
    const network = await storageNetwork({ location });
    const error = leftOf(await view(network.connection, file)());
    expect(error._tag).toBe('UnsafeRedirect');
    expect(network.dialled).toEqual([]);
    expect(inspect(error)).not.toMatch(/secret|passwd|AAAA|alert|a{270}/u);
  });

  it('G4 may be relative to the service, or to the storage that named it', async () => {
    const network = await storageNetwork({
      location: 'https://storage.example/a/x',
      next: (path) => (path === '/a/x' ? '../b/y?sig=1' : undefined),
    });
    expect(await bodyText(rightOf(await view(network.connection, file)()))).toBe('bytes');
    expect(network.seen.map(({ url }) => url)).toEqual(['/a/x', '/b/y?sig=1']);
  });

  it('G2 ends in a loop after three hops', async () => {
    const network = await storageNetwork({ location: 'https://storage.example/x', next: () => '/x' });
    expect(leftOf(await view(network.connection, file)())).toMatchObject({
      _tag: 'UnsafeRedirect',
      reason: 'more than 3 redirects',
    });
    expect(network.seen).toHaveLength(3);
  });

  it('G1 H8 H9 sees no header of ours, on any hop', async () => {
    const network = await storageNetwork({
      location: 'https://storage.example/1',
      next: (path) =>
        path === '/3' ? undefined : `https://storage${path.slice(1)}.example/${Number(path[1]) + 1}`,
    });
    expect(await bodyText(rightOf(await view(network.connection, file)()))).toBe('bytes');
    expect(network.seen).toHaveLength(3);
    for (const { headers } of network.seen) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  it('H1 H4 is shown by its host alone, without the key', async () => {
    for (const location of [
      `http://${canary}.example/${canary}?sig=${canary}`,
      `https://10.0.0.1/?${canary}`,
      `${canary}:x`,
      `https://${canary}@storage.example/`,
    ]) {
      const network = await storageNetwork({ location });
      const error = leftOf(await view(network.connection, file)());
      expect(inspect(error, { depth: 10, showHidden: true }).toLowerCase()).not.toContain('canary');
    }
  });
});
