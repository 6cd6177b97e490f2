import { CallScope } from '../../src/core/http/call-scope.js';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/endpoints/endpoint.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { get } from '../helpers/play-call.js';
import { httpConnection } from '../helpers/http-connection.js';
import { readJson } from '../../src/core/http/read-json.js';
import { realClock } from '../../src/core/platform/clock.js';

/** Reads a body that comes in pieces of a mebibyte. */
const read = async (text: string, more: Partial<Endpoint<unknown>> = {}, maxAnswerBytes?: number) => {
  const platform = { ...fakePlatform(), clock: realClock };
  const bytes = new TextEncoder().encode(text);
  const body = (async function* () {
    for (let at = 0; at < bytes.length; at += 2 ** 20)
      yield await Promise.resolve(bytes.subarray(at, at + 2 ** 20));
  })();
  const scope = new CallScope({ clock: realClock, timeoutMs: 60_000 });
  const response = { status: 200, headers: {}, body, discard: () => undefined };
  return readJson(httpConnection(platform, { maxAnswerBytes }), { ...get, ...more }, response, scope);
};
const inPieces: Partial<Endpoint<unknown>> = {
  parsedInPieces: (path) => (path.length === 1 ? 'part' : undefined),
};
const large = 18446744073709551615n;

describe('the JSON of an answer', () => {
  it.each(['', ' ', '\r\n\t '])('is none of an empty body: %j', async (text) => {
    for (const more of [{}, inPieces])
      expect(await read(text, more)).toMatchObject({ right: { json: undefined, text } });
  });

  it('has its numbers as sent beside it, from the outputs on or all of them, where an endpoint keeps them', async () => {
    const text = `{"seed":${large},"outputs":{"seed":${large}}}`;
    expect(await read(text)).toMatchObject({ right: { asSent: { outputs: { seed: Number(large) } } } });
    expect(await read(text, { keepsNumbers: 'outputs' })).toMatchObject({
      right: { json: { outputs: { seed: Number(large) } }, asSent: { outputs: { seed: large } } },
    });
    expect(await read(`{"seed":${large}}`, { keepsNumbers: 'outputs' })).toMatchObject({
      right: { asSent: { seed: Number(large) } },
    });
    expect(await read(`{"seed":${large},"outputs":{"a":1}}`, { keepsNumbers: 'outputs' })).toMatchObject({
      right: { asSent: { seed: Number(large) } },
    });
    const twice = `{"outputs":{"seed":${large}},"more":{"outputs":1}}`;
    expect(await read(twice, { keepsNumbers: 'outputs' })).toMatchObject({
      right: { asSent: { outputs: { seed: large } } },
    });
    expect(await read(`{"seed":${large}}`, { keepsNumbers: 'all' })).toMatchObject({
      right: { asSent: { seed: large }, isRedacted: false },
    });
  });

  it('is read in pieces where it is large, and redacted then', async () => {
    const text = JSON.stringify({ a: { text: 'x'.repeat(2 ** 20) }, b: { c: 1 } });
    expect(await read(text, inPieces)).toMatchObject({
      right: { json: { b: { c: 1 } }, isRedacted: true },
    });
    expect(await read('{"a":1}', inPieces)).toMatchObject({ right: { json: { a: 1 }, isRedacted: false } });
  });
});

describe('an answer that can’t be read', () => {
  const reasonOf = async (...given: Parameters<typeof read>) => {
    const answer = await read(...given);
    return answer._tag === 'Left' ? answer.left.reason : 'read';
  };
  const many = `{"a":[${'0,'.repeat(250_001)}0]}`;
  const broken = `{"a":{"b":},"c":"${'x'.repeat(2 ** 20)}"}`;

  it.each([
    ['holds too many values', many, {}, 'the answer holds more than 250,000 values'],
    [
      'holds too many in a member',
      many,
      inPieces,
      'a member of the answer holds more than 250,000 values, or',
    ],
    ['is no JSON in its pieces', broken, inPieces, 'the answer is no JSON, or has more than 64 levels'],
    ['nests too deep', `${'[0,'.repeat(300)}0${']'.repeat(300)}`, {}, 'the answer has more than 64 levels'],
    ['is a text', 'it is closed', {}, 'the answer is no JSON but text, "it is closed"'],
    ['is a page', '<html><title>Log in</title></html>', {}, 'the answer is '],
  ] as const)('says that it %s', async (_, text, more, reason) => {
    expect(await reasonOf(text, more)).toContain(reason);
  });

  it('is no JSON where it is cut at the end of a piece', async () => {
    const start = '{"a":"';
    expect(await reasonOf(start + 'x'.repeat(2 ** 20 - start.length), inPieces)).toBe(
      'the answer is no JSON, or has more than 64 levels',
    );
  });

  it('may have 8 MiB where nothing says otherwise', async () => {
    const whole = `"${'x'.repeat(8 * 2 ** 20 - 2)}"`;
    expect(await read(whole)).toMatchObject({ _tag: 'Right' });
    expect(await reasonOf(`${whole} `)).toContain('more than 8388608 bytes');
  });

  it('says that it is larger than it may be, and which option lets it', async () => {
    const text = JSON.stringify({ a: 'x'.repeat(2 * 2 ** 20), b: 'y' });
    for (const more of [{}, inPieces]) {
      expect(await read(text, more, 2 ** 20)).toMatchObject({
        left: {
          reason: 'the answer has more than 1048576 bytes, the bound of maxAnswerBytes',
          ...{ option: 'maxAnswerBytes', hint: expect.stringContaining('maxAnswerBytes') as string },
        },
      });
      expect(await reasonOf(text, more, 3 * 2 ** 20)).toBe('read');
    }
    expect(await reasonOf(text, { maxBytes: 9 })).toContain('more than 9 bytes');
    expect(await reasonOf(text, { maxBytes: 9 }, 3 * 2 ** 20)).toBe('read');
  });

  it('is told to be a page, with what to check', async () => {
    expect(await read('<!doctype html><title>Log in</title>')).toMatchObject({
      left: { isPage: true, hint: expect.stringContaining('check baseUrl') as string },
    });
  });
});
