import { describe, expect, it } from 'vitest';
import { fileOf } from '../../../src/server/gateway/calls/input-file.js';
import type { InputOptions } from '../../../src/server/gateway/calls/input-options.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const address = 'https://files.example/in/a.png?token=x';
const options: InputOptions = {
  origins: ['https://files.example'],
  fetcher: {
    fetch: () =>
      Promise.resolve({
        ...{ status: 200, mediaType: 'image/png', discard: () => undefined },
        body: (async function* () {
          yield await Promise.resolve(new TextEncoder().encode('abc'));
        })(),
      }),
  },
};

const brought = async (value: unknown, given: InputOptions | undefined = options) => {
  const call = {
    request: new Request('http://gateway.test/'),
    hold: { add: () => undefined, release: () => undefined },
    uploadBytes: 100,
  };
  const file = await fileOf(call, value, { inputs: given, clock: virtualClock() });
  if (file._tag === 'Left') return file.left.code;
  if (file.right === undefined) return undefined;
  const { content, filename } = file.right;
  return [await content.text(), content.type, filename];
};

const base64 = Buffer.from('abc').toString('base64');

describe('the file that the value of an input is', () => {
  it.each([
    ['a part of a form', new File(['abc'], 'a.png', { type: 'image/png' }), ['abc', 'image/png', 'a.png']],
    ['base64', { base64 }, ['abc', '', undefined]],
    ['base64 with more', { base64, filename: 'b', mediaType: 'image/webp' }, ['abc', 'image/webp', 'b']],
    ['base64 that is none', { base64: '*' }, 'invalid_inputs'],
    ['an address', { url: address }, ['abc', 'image/png', 'a.png']],
    [
      'an address with more',
      { url: address, filename: 'b.webp', mediaType: 'image/webp' },
      ['abc', 'image/webp', 'b.webp'],
    ],
    ['an address that is not listed', { url: 'https://other.example/a' }, 'input_not_allowed'],
    ['a text', 'a.png', undefined],
    ['a number', 7, undefined],
    ['an object of another kind', { __type: 'core/ASSET', info: { id: 'a' } }, undefined],
  ])('of %s', async (_, value, file) => {
    expect(await brought(value)).toEqual(file);
  });

  it.each([
    ['folder/a.png', 'a.png'],
    ['folder\\a.png', 'a.png'],
    ['a\u0000b\n.png', 'ab.png'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(251)}.png`],
    ['folder/', undefined],
    ['.', undefined],
    ['..', undefined],
    ['...', '...'],
  ])('has a name without a folder: %j', async (filename, name) => {
    expect((await brought({ base64, filename }))?.[2]).toBe(name);
  });
});
