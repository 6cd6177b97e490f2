import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostClass } from '../../src/protocol/host-class.js';
import { isLoopback } from '../../src/protocol/is-loopback.js';

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
      { numRuns: 5000 },
    );
  });
});
