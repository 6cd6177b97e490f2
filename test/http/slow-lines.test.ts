import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/core/http/rest-options.js';
import type { Endpoint } from '../../src/core/endpoints/endpoint.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { get, submit } from '../helpers/play-call.js';
import { httpConnection } from '../helpers/http-connection.js';
import type { HttpRequest, HttpResponse } from '../../src/core/platform/platform.js';
import { localJobStatus } from '../../src/client/dialects/local-job-status.js';
import { request } from '../../src/core/http/request.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ServiceError } from '../../src/core/errors/errors.js';

const kibibyte = 1024;

/** What a line does with a request, second by second. */
type Line = (request: HttpRequest, second: () => Promise<void>) => Promise<HttpResponse>;

/** Plays calls over a line, at most 20 minutes, and says when they ended. */
const over = (line: Line) => {
  const platform = fakePlatform();
  const second = (): Promise<void> => new Promise((resolve) => void platform.clock.after(1_000, resolve));
  let requests = 0;
  const connection = httpConnection({
    ...platform,
    request: (asked) => {
      requests += 1;
      const cut = new Promise<never>((_, reject) => {
        asked.signal?.addEventListener('abort', () => reject(asked.signal?.reason as Error));
      });
      return Promise.race([line(asked, second), cut]);
    },
  });
  const play = async (call: TaskEither<ServiceError, unknown>) => {
    let ended: { readonly result: E.Either<ServiceError, unknown>; readonly at: number } | undefined;
    void call().then((result) => {
      ended = { result, at: platform.clock.now() };
    });
    for (let nth = 0; nth < 1_200 && ended === undefined; nth += 1) await platform.clock.advance(1_000);
    if (ended === undefined) throw new Error('the call has no end');
    return { ...ended, requests, pending: platform.clock.pending() };
  };
  return {
    play,
    connection,
    ask: (endpoint: Endpoint<unknown>, options: CallOptions = {}) =>
      play(request(connection)(endpoint, options)),
  };
};

const answer = (body: AsyncIterable<Uint8Array>): HttpResponse => ({
  status: 200,
  headers: {},
  body,
  discard: () => undefined,
});

const whole = (text: string): HttpResponse =>
  answer(
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  );

/** Answers with these bytes at so many a second. */
const slowAnswer =
  (bytes: Uint8Array, perSecond: number): Line =>
  (asked, second) => {
    asked.onSent?.();
    return Promise.resolve(
      answer(
        (async function* () {
          for (let at = 0; at < bytes.length; at += perSecond) {
            await second();
            yield bytes.subarray(at, at + perSecond);
          }
        })(),
      ),
    );
  };

/** Takes a body at so many bytes a second and says so, as Node.js does; `after` answers once it has left. */
const slowUpload =
  (perSecond: number, after: Line, until = Infinity): Line =>
  async (asked, second) => {
    const length = asked.json?.length ?? 0;
    for (let at = 0; at < Math.min(until, length); at += perSecond) {
      await second();
      asked.onProgress?.(Math.min(perSecond, length - at));
    }
    if (until < length) return after(asked, second);
    asked.onSent?.();
    return after(asked, second);
  };

const large = { ...get, read: E.right, maxBytes: 16 * 1024 * kibibyte };
const text = JSON.stringify('x'.repeat(5 * 1024 * kibibyte));
const workflow = { ...submit, json: JSON.stringify('x'.repeat(4.5 * 1024 * kibibyte)) };
const hang: Line = () => new Promise(() => undefined);
const refused = Object.assign(new Error('cut'), { code: 'ECONNRESET', message: 'cut', sent: false });

describe('an answer over a slow line', () => {
  it.each([undefined, 5_000])(
    'N2 comes whole, however long it takes, with a limit of %s ms',
    async (timeoutMs) => {
      const { result, at, pending } = await over(
        slowAnswer(new TextEncoder().encode(text), 40 * kibibyte),
      ).ask(large, { timeoutMs });
      expect(E.isRight(result)).toBe(true);
      expect([at, pending]).toEqual([129_000, 0]);
    },
  );

  it('N2 that is a queue is searched to its end', async () => {
    const listing = `{"queue_running":[],"queue_pending":[[1,"a",{"x":"${'x'.repeat(4e6)}"}],[2,"b",{}]]}`;
    const line = over(slowAnswer(new TextEncoder().encode(listing), 40 * kibibyte));
    const { result, at } = await line.play(localJobStatus(line.connection)('b'));
    expect(result).toMatchObject(E.right({ promptId: 'b', phase: 'pending' }));
    expect(at).toBeGreaterThan(90_000);
  });
});

describe('a submission over a slow line', () => {
  it('N2 is accepted, with 30 s for the answer once it has left', async () => {
    const accept: Line = async (_, second) => {
      for (let nth = 0; nth < 29; nth += 1) await second();
      return whole('{"prompt_id":"p"}');
    };
    const { result, requests } = await over(slowUpload(100 * kibibyte, accept)).ask(workflow);
    expect(result).toEqual(E.right({ prompt_id: 'p' }));
    expect(requests).toBe(1);
  });

  it('N2 whose body is cut before its end was not submitted, and is sent again', async () => {
    let nth = 0;
    const { result, requests } = await over((asked, second) => {
      nth += 1;
      return nth === 1
        ? slowUpload(100 * kibibyte, () => Promise.reject(refused), 1024 * kibibyte)(asked, second)
        : slowUpload(100 * kibibyte, () => Promise.resolve(whole('{"prompt_id":"p"}')))(asked, second);
    }).ask(workflow);
    expect(result).toEqual(E.right({ prompt_id: 'p' }));
    expect(requests).toBe(2);
  });

  it('N2 whose body stops before its end was not submitted', async () => {
    const { result, at } = await over(slowUpload(100 * kibibyte, hang, 1024 * kibibyte)).ask(workflow);
    expect(result).toMatchObject(E.left({ _tag: 'Timeout', sent: false, timeoutMs: 30_000 }));
    expect(E.isLeft(result) && result.left.message).toContain('did not leave whole');
    expect(at).toBe(11_000 + 30_000);
  });

  it('N2 of which a page does not see how much has left stays unknown', async () => {
    const { result, at } = await over((asked, second) => {
      asked.onSent?.();
      return hang(asked, second);
    }).ask(workflow);
    expect(result).toMatchObject(E.left({ _tag: 'OutcomeUnknown' }));
    expect(at).toBe(30_000 + 144_000);
  });

  it('N2 that the caller gave a limit is unknown once nothing came for so long', async () => {
    const { result, at } = await over(slowUpload(100 * kibibyte, hang)).ask(workflow, { timeoutMs: 2_000 });
    expect(result).toMatchObject(E.left({ _tag: 'OutcomeUnknown' }));
    expect(at).toBe(47_000 + 2_000);
  });
});
