import { describe, expect, it } from 'vitest';
import { fileOfAddress } from '../../../src/server/gateway/calls/file-of-address.js';
import { HttpRefusal } from '../../../src/server/gateway/http/refusal.js';
import type { InputAnswer, InputFetcher } from '../../../src/server/gateway/calls/input-fetcher.js';
import { virtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.js';

/** Fetches one answer, whose body comes in pieces of a byte; counts how often it is let go of, and who was asked for. */
const fetching = (status: number, text: string, mediaType?: string) => {
  const asked: Parameters<InputFetcher['fetch']>[0][] = [];
  let discarded = 0;
  let read = 0;
  const body = async function* () {
    for (const byte of new TextEncoder().encode(text)) {
      await Promise.resolve();
      read += 1;
      yield Uint8Array.of(byte);
    }
  };
  const answer: InputAnswer = {
    ...{ status, mediaType, body: body() },
    discard: () => void (discarded += 1),
  };
  const fetcher: InputFetcher = { fetch: (request) => Promise.resolve((asked.push(request), answer)) };
  return { fetcher, asked, discarded: () => discarded, read: () => read };
};

const metadata = 'http://169.254.169.254';
const origins = ['https://files.example', 'http://10.0.0.5:8080', metadata];

const take = async (
  fetcher: InputFetcher,
  address = 'https://files.example/a.png',
  {
    uploadBytes = 100,
    held,
    clock = virtualClock(),
  }: {
    readonly uploadBytes?: number;
    readonly held?: (bytes: number) => void;
    readonly clock?: VirtualClock;
  } = {},
) => {
  const request = new Request('http://gateway.test/');
  const found = await fileOfAddress(
    { request, hold: { add: held ?? (() => undefined), release: () => undefined }, uploadBytes },
    address,
    {
      inputs: { fetcher, origins },
      clock,
    },
  );
  return found._tag === 'Left'
    ? { refused: [found.left.status, found.left.code] }
    : { text: new TextDecoder().decode(found.right.bytes), mediaType: found.right.mediaType };
};

describe('the file of an address', () => {
  it('is read whole, up to the limit, and each piece is counted', async () => {
    const { fetcher, discarded } = fetching(200, 'abcd', 'image/png');
    let bytes = 0;
    const held = (more: number): void => void (bytes += more);
    expect(await take(fetcher, undefined, { uploadBytes: 4, held })).toEqual({
      text: 'abcd',
      mediaType: 'image/png',
    });
    expect([bytes, discarded()]).toEqual([4, 0]);
  });

  it('is refused above the limit, as soon as that is known, and let go of', async () => {
    const { fetcher, discarded, read } = fetching(200, 'abcdefgh');
    expect(await take(fetcher, undefined, { uploadBytes: 3 })).toEqual({
      refused: [413, 'payload_too_large'],
    });
    expect([read(), discarded()]).toEqual([4, 1]);
  });

  it.each([302, 404, 206])('is refused and let go of where it answers %i', async (status) => {
    const { fetcher, discarded, read } = fetching(status, 'abc');
    expect(await take(fetcher)).toEqual({ refused: [422, 'input_unavailable'] });
    expect([read(), discarded()]).toEqual([0, 1]);
  });

  it('is waited for half a minute, which the caller hears as such', async () => {
    const clock = virtualClock();
    const fetcher: InputFetcher = {
      fetch: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    };
    let told: unknown;
    void take(fetcher, undefined, { clock }).then((one) => (told = one));
    await clock.advance(29_999);
    expect(told).toBeUndefined();
    await clock.advance(1);
    expect(told).toEqual({ refused: [422, 'input_unavailable'] });
  });

  it.each([
    'https://other.example/a.png',
    'https://files.example:444/a.png',
    'http://files.example/a.png',
    'https://me:secret@files.example/a.png',
    'https://me@files.example/a.png',
    'https://:secret@files.example/a.png',
    'no address',
    // A metadata service has the credentials of the machine: listing it does not help.
    `${metadata}/latest/meta-data`,
  ])('of %s is not asked for', async (address) => {
    const { fetcher, asked } = fetching(200, 'abc');
    expect(await take(fetcher, address)).toEqual({ refused: [422, 'input_not_allowed'] });
    expect(asked).toEqual([]);
  });

  it('may have any address only where the operator lists a host that is not public', async () => {
    const { fetcher, asked } = fetching(200, '');
    await take(fetcher);
    await take(fetcher, 'http://10.0.0.5:8080/a.png');
    expect(asked.map(({ anyAddress }) => anyAddress)).toEqual([false, true]);
  });

  it('says why it can’t be read, and never from where', async () => {
    const reasonOf = async (answer: () => Promise<InputAnswer>) => {
      const context = { inputs: { fetcher: { fetch: answer }, origins }, clock: virtualClock() };
      const call = {
        request: new Request('http://gateway.test/'),
        hold: { add: () => undefined, release: () => undefined },
        uploadBytes: 9,
      };
      const found = await fileOfAddress(call, 'https://files.example/a?token=secret', context);
      return found._tag === 'Left' ? found.left.message : 'read';
    };
    const answering = (status: number) => async () => {
      const { fetcher } = fetching(status, '');
      return fetcher.fetch({ url: '', anyAddress: false, signal: new AbortController().signal });
    };
    const words = (reason: string) => `An input can't be read from its address: ${reason}.`;
    expect(await reasonOf(answering(404))).toBe(words('it answered 404'));
    expect(await reasonOf(answering(400))).toBe(words('it answered 400'));
    for (const status of [300, 302, 399])
      expect(await reasonOf(answering(status))).toBe(
        words('it is somewhere else, and no redirect is followed'),
      );
    expect(await reasonOf(() => Promise.reject(new Error('getaddrinfo files.example')))).toBe(
      words('it could not be reached'),
    );
    expect(await reasonOf(answering(200))).toBe('read');
  });

  it('is refused as the caller is who may hold no more bytes', async () => {
    const { fetcher } = fetching(200, 'abcd');
    const refused = new HttpRefusal({ status: 429, code: 'too_many_bytes', message: 'No more.' });
    const held = (): never => {
      throw refused;
    };
    await expect(take(fetcher, undefined, { held })).rejects.toBe(refused);
  });

  it('is given up with its caller', async () => {
    const leaving = new AbortController();
    const request = new Request('http://gateway.test/', { signal: leaving.signal });
    let isGivenUp = false;
    const fetcher: InputFetcher = {
      fetch: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            isGivenUp = true;
            reject(signal.reason as Error);
          });
        }),
    };
    const reading = fileOfAddress(
      { request, hold: { add: () => undefined, release: () => undefined }, uploadBytes: 9 },
      'https://files.example/a',
      {
        ...{ inputs: { fetcher, origins }, clock: virtualClock() },
      },
    );
    leaving.abort();
    expect(await reading).toMatchObject({ left: { code: 'input_unavailable' } });
    expect(isGivenUp).toBe(true);
  });
});
