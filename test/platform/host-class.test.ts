import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { BlockList } from 'node:net';
import { hostClass, isLoopback, isOwnNetwork } from '../../src/core/platform/host-class.js';
import { runs } from '../helpers/runs.js';

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const addressOf = (value: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');

/** The first and the last address of each range, and their neighbours in each byte. */
const edges = (ranges: readonly string[]): readonly (readonly string[])[] =>
  ranges.map((range) => {
    const [address = '', bits = ''] = range.split('/');
    const first = numberOf(address);
    const last = first + 2 ** (32 - Number(bits)) - 1;
    return [first, last].flatMap((edge) =>
      [0, 1, -1, 2 ** 8, -(2 ** 8), 2 ** 16, -(2 ** 16), 2 ** 24, -(2 ** 24)]
        .map((step) => edge + step)
        .filter((value) => value >= 0 && value < 2 ** 32)
        .map(addressOf),
    );
  });

/** As a URL has it, so that odd notations are made plain by the parser, as in the program. */
const classOf = (host: string) => hostClass(new URL(`https://${host}/`).hostname);

describe('hostClass', () => {
  it.each([
    '127.0.0.1',
    '127.255.1.2',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    'localhost',
    'a.localhost',
    'LOCALHOST.',
  ])('knows %s for loopback', (host) => expect(classOf(host)).toBe('loopback'));

  it.each([
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[::127.0.0.1]',
  ])('knows %s for loopback, too', (host) => expect(classOf(host)).toBe('loopback'));

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[::ffff:10.0.0.1]',
    'emulator',
    '198.18.0.1',
    'nas.local',
    'x.internal',
  ])('knows %s for private', (host) => expect(classOf(host)).toBe('private'));

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '0.0.0.0',
    '0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.0.192',
    '[::]',
    '[fe80::1]',
    '[ff02::1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
    '[fd00:ec2::254]',
    'metadata.google.internal',
    'metadata',
    '168.63.129.16',
    '192.0.2.1',
    '203.0.113.9',
    '[fd20:ce::254]',
    '[2001:0:a9fe:a9fe::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[64:ff9b:1::a00:1]',
    '[::ffff:0:10.0.0.1]',
  ])('forbids %s', (host) => expect(classOf(host)).toBe('forbidden'));

  it.each([
    'storage.googleapis.com',
    '8.8.8.8',
    '198.20.0.1',
    '[2001:4860:4860::8888]',
    '172.32.0.1',
    '100.128.0.1',
    '[2606:4700::1]',
    '[::ffff:8.8.8.8]',
  ])('knows %s for public', (host) => expect(classOf(host)).toBe('public'));

  // Node.js's own list of addresses, which shares nothing with the classes, from the registries of special-purpose addresses.
  it.each([
    ['loopback', ['127.0.0.0/8']],
    ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15']],
    [
      'forbidden',
      [
        ...['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
        ...['198.51.100.0/24', '203.0.113.0/24', '100.100.100.200/32', '168.63.129.16/32'],
      ],
    ],
  ] as const)('knows every edge of what is %s, and nothing beyond as such', (name, ranges) => {
    const list = new BlockList();
    for (const range of ranges) {
      const [address = '', bits] = range.split('/');
      list.addSubnet(address, Number(bits));
    }
    const metadata = '100.100.100.200';
    for (const byte of edges(ranges)) {
      for (const address of byte) {
        const isIn = list.check(address) && (name === 'forbidden' || address !== metadata);
        expect([address, hostClass(address) === name]).toEqual([address, isIn]);
      }
    }
  });

  it.each([
    ['[2001:1ff::1]', 'forbidden'],
    ['[2001:200::1]', 'public'],
    ['[2001:db7::1]', 'public'],
    ['[2002:0808:0808::1]', 'public'],
    ['[2002:a00:1::1]', 'private'],
    ['[2002:c000:201::1]', 'forbidden'],
    ['[fd00:ec2::253]', 'private'],
    ['[fd00:ec3::254]', 'private'],
    ['[2600::254]', 'public'],
    ['[2600:db8::1]', 'public'],
    ['[1:2:3:4:5:6:7:8]', 'forbidden'],
    ['[4000::1]', 'forbidden'],
    ['a-1.2.3.4', 'public'],
    ['1.2.3.4.example', 'public'],
    ['local.example', 'public'],
    ['mylocal', 'private'],
  ])('knows %s for %s', (host, expected) => expect(hostClass(host)).toBe(expected));

  it('forbids an empty host', () => expect(hostClass('')).toBe('forbidden'));
});

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

describe('isLoopback', () => {
  it.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('knows %s', (host) => expect(isLoopback(hostOf(host))).toBe(true));

  it.each([
    'localhost.example',
    'notlocalhost',
    '127.0.0.1.example',
    '128.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::2]',
    '[::11]',
    '[::ffff:7fff:0:0:17f0:0]',
  ])('is not taken in by %s', (host) => expect(isLoopback(hostOf(host))).toBe(false));

  it('takes nothing for this machine that hostClass does not', () => {
    const group = fc
      .constantFrom(0, 1, 0x7f, 0xffff, 0x7f00, 0x7fff, 0x17f0)
      .map((value) => value.toString(16));
    const v6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => `[${groups.join(':')}]`);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6().map((ip) => `[${ip}]`),
          v6,
          fc.domain(),
        ),
        (host) => {
          fc.pre(URL.canParse(`http://${host}/`));
          if (isLoopback(hostOf(host))) expect(hostClass(hostOf(host))).toBe('loopback');
        },
      ),
      { numRuns: runs(5000) },
    );
  });

  it('N4 takes no public address for one of its own network', () => {
    const hosts = fc.oneof(
      fc.ipV4(),
      fc.ipV6().map((ip) => `[${ip}]`),
      fc.domain(),
      fc.constantFrom(
        'nas',
        'render.lan',
        '10.0.0.1',
        '172.20.1.1',
        '100.64.0.1',
        '[fd00::1]',
        '192.168.1.1.',
      ),
    );
    let own = 0;
    fc.assert(
      fc.property(hosts, (host) => {
        fc.pre(URL.canParse(`http://${host}/`));
        if (!isOwnNetwork(hostOf(host))) return;
        own += 1;
        expect(hostClass(hostOf(host))).not.toBe('public');
      }),
      { numRuns: runs(5000) },
    );
    expect(own).toBeGreaterThan(0);
  });
});
