import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { FileContent } from '../../src/http/rest.js';
import { view } from '../../src/http/view.js';
import { canary, leftOf, rightOf } from '../helpers/http-connection.js';
import { storageWorld, type StorageWorldOptions } from '../helpers/storage-world.js';

const file = { filename: 'a.png' };

const read = async ({ body }: FileContent): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Loopback, private, link-local, metadata, unspecified, multicast, reserved, in as many ways of writing as there are. */
const literals = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '012.0.0.1',
  '0xa.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '3232235521',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '①②⑦.⓪.⓪.①',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:10.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a00:1::1]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
];
const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'x.localhost',
  'metadata',
  'metadata.google.internal',
  'metadata.google.internal.',
  'db.internal',
  'printer.local',
  'router.lan',
  'intranet',
];
/** What a resolver could give for each of the literals. */
const addresses = [
  ...new Set(literals.map((literal) => new URL(`http://${literal}/`).hostname.replace(/^\[|\]$|\.$/gu, ''))),
  'fe80::1%lo',
  '::ffff:192.168.0.1',
];

const refused = async (options: StorageWorldOptions, dialled: readonly string[] = []): Promise<void> => {
  const world = await storageWorld(options);
  const error = leftOf(await view(world.connection, file)());
  expect(error).toMatchObject({ _tag: 'UnsafeRedirect', retry: 'never' });
  expect(world.dialled).toEqual(dialled);
};

describe('an address that a download is sent to', () => {
  it.each([...literals, ...names])('G3 is not asked where it is %s', async (host) => {
    await refused({ location: `https://${host}/x` });
    await refused({ location: `https://${host}:8443/x` });
    await refused({ location: '//' + host + '/x' });
  });

  it.each(addresses)('G3 is not asked where its name leads to %s, alone or among others', async (address) => {
    const location = 'https://storage.example/x';
    await refused({ location, addresses: () => [address] });
    await refused({ location, addresses: () => ['93.184.216.34', address] });
  });

  it('G3 is looked at again where its name leads elsewhere by then', async () => {
    const location = 'https://storage.example/x';
    const world = await storageWorld({
      location,
      addresses: (_, nth) => [nth === 1 ? '93.184.216.34' : '169.254.169.254'],
      next: (path) => (path === '/x' ? 'https://other.example/y' : undefined),
    });
    expect(leftOf(await view(world.connection, file)())).toMatchObject({
      _tag: 'UnsafeRedirect',
      host: 'other.example',
    });
    expect(world.dialled).toEqual(['93.184.216.34']);
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
      const world = await storageWorld({ location, baseUrl, addresses: () => [own] });
      expect(await read(rightOf(await view(world.connection, file)()))).toBe('bytes');
      expect(world.dialled).toHaveLength(1);
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
    const world = await storageWorld({ location });
    const error = leftOf(await view(world.connection, file)());
    expect(error._tag).toBe('UnsafeRedirect');
    expect(world.dialled).toEqual([]);
    expect(inspect(error)).not.toMatch(/secret|passwd|AAAA|alert|a{270}/u);
  });

  it('G4 may be relative to the service, or to the storage that named it', async () => {
    const world = await storageWorld({
      location: 'https://storage.example/a/x',
      next: (path) => (path === '/a/x' ? '../b/y?sig=1' : undefined),
    });
    expect(await read(rightOf(await view(world.connection, file)()))).toBe('bytes');
    expect(world.seen.map(({ url }) => url)).toEqual(['/a/x', '/b/y?sig=1']);
  });

  it('G2 ends in a loop after three hops', async () => {
    const world = await storageWorld({ location: 'https://storage.example/x', next: () => '/x' });
    expect(leftOf(await view(world.connection, file)())).toMatchObject({
      _tag: 'UnsafeRedirect',
      reason: 'more than 3 redirects',
    });
    expect(world.seen).toHaveLength(3);
  });

  it('G1 H8 H9 sees no header of ours, on any hop', async () => {
    const world = await storageWorld({
      location: 'https://storage.example/1',
      next: (path) =>
        path === '/3' ? undefined : `https://storage${path.slice(1)}.example/${Number(path[1]) + 1}`,
    });
    expect(await read(rightOf(await view(world.connection, file)()))).toBe('bytes');
    expect(world.seen).toHaveLength(3);
    for (const { headers } of world.seen) {
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
      const world = await storageWorld({ location });
      const error = leftOf(await view(world.connection, file)());
      expect(inspect(error, { depth: 10, showHidden: true }).toLowerCase()).not.toContain('canary');
    }
  });
});
