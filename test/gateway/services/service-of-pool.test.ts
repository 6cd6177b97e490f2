import { describe, expect, it } from 'vitest';
import { EMPTY, firstValueFrom, of } from 'rxjs';
import type { Client } from '../../../src/client/client-types.js';
import * as E from '../../../src/core/protocol/either.js';
import { fromAbortSignal } from '../../../src/core/interop/from-abort-signal.js';
import type { FiledJob } from '../../../src/server/gateway/services/gateway-service.js';
import type { GatewayPool } from '../../../src/server/gateway/services/gateway-pool.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { serviceOf } from '../../../src/server/gateway/services/service-of.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** What a server of the played pool answers with: its name, unless it refuses. */
interface PlayedServer {
  readonly health?: 'up' | 'down';
  readonly refusal?: ServiceError;
}

/** The service of a pool of these servers, and the calls of the pool and its clients. */
const pooled = (
  servers: Readonly<Record<string, PlayedServer>>,
  knownBy: (promptId: string, signal: AbortSignal) => string | undefined | Promise<undefined> = () =>
    undefined,
) => {
  const calls: unknown[][] = [];
  const answer =
    (name: string, { refusal }: PlayedServer = {}, result: unknown = name) =>
    (...given: readonly unknown[]) =>
    () => {
      calls.push([name, ...given]);
      return Promise.resolve(refusal === undefined ? E.right(result) : E.left(refusal));
    };
  const searched: string[] = [];
  const clock = virtualClock();
  const pool = {
    upload: answer('upload'),
    uploadMask: answer('uploadMask'),
    viewUpload: answer('viewUpload'),
    servers: of(Object.entries(servers).map(([name, { health = 'up' }]) => ({ name, health }))),
    serverOf:
      (promptId: string, { signal }: { readonly signal: AbortSignal }) =>
      async () => {
        searched.push(promptId);
        const name = await knownBy(promptId, signal);
        return name === undefined ? E.left(serviceError('NotFound', {})) : E.right(name);
      },
    client: (name: string) =>
      ({
        rest: {
          view: answer(`view of ${name}`, servers[name]),
          objectInfo: answer(`classes of ${name}`, servers[name], { [name]: {} }),
          jobStatus: answer(`status of ${name}`, servers[name]),
        },
        preflight: answer(`preflight of ${name}`, servers[name]),
      }) as unknown as Client,
  };
  return { calls, clock, searched, pool, service: serviceOf(pool as unknown as GatewayPool, clock) };
};

const file = { filename: 'a.png' };
const sent = { content: new Blob(['a']), filename: 'a.png' };
const jobOf = (promptId: string, place?: string, server?: string): FiledJob =>
  ({
    record: { ...(place !== undefined && { place: { server: place } }) },
    state: { promptId },
    ...(server !== undefined && { server }),
  }) as unknown as FiledJob;
const away = serviceError('ServerError', {});

describe('the service of a pool', () => {
  it('keeps and reads what callers sent by the names of the pool', async () => {
    const { calls, service } = pooled({});
    const { signal } = new AbortController();
    const asset = { id: 'asset' };
    expect(await service.upload(sent)()).toEqual(E.right('upload'));
    await service.uploadMask(sent, file, 'one')();
    await service.viewUpload({ filename: 'b.png', subfolder: 's', type: 'temp', asset }, { signal })();
    expect(calls[1]?.[2]).not.toHaveProperty('file.asset');
    expect(calls).toEqual([
      ['upload', sent],
      [
        'uploadMask',
        sent,
        { file: { name: 'a.png', subfolder: '', type: 'input' }, server: 'one' },
        { type: 'input' },
      ],
      ['viewUpload', { name: 'b.png', subfolder: 's', type: 'temp', asset }, { signal }],
    ]);
  });

  it('reads an output on the server that is kept of the job, or else on the one that knows its id', async () => {
    const { calls, searched, service } = pooled({ one: {}, two: {} }, (id) =>
      id === 'p2' ? 'two' : undefined,
    );
    const { signal } = new AbortController();
    const read = (job: FiledJob) => service.viewOutput(file, { signal }, job)();
    expect(await read(jobOf('p2', 'one'))).toEqual(E.right('view of one'));
    expect(await read(jobOf('p2', 'one', 'two'))).toEqual(E.right('view of two'));
    expect(searched).toEqual([]);
    expect(await read(jobOf('p2', 'removed'))).toEqual(E.right('view of two'));
    expect(await read(jobOf('p2'))).toEqual(E.right('view of two'));
    expect(calls.every(([, ...given]) => given[0] === file)).toBe(true);
    expect(calls[0]?.[2]).toEqual({ signal });
    const nowhere = E.left(
      expect.objectContaining({
        ...{ _tag: 'DownloadFailed', filename: 'a.png', reason: 'no server of the pool has its job' },
      }) as unknown,
    );
    expect(await read(jobOf('p3'))).toEqual(nowhere);
    // A job without an id is not looked for.
    expect(await read(jobOf(''))).toEqual(nowhere);
    expect(searched).toEqual(['p2', 'p2', 'p3']);
  });

  it('looks for the server of a job no longer than the reader waits', async () => {
    const { service } = pooled({ one: {} }, (_, signal) =>
      firstValueFrom(fromAbortSignal(signal), { defaultValue: undefined }).then(() => undefined),
    );
    const reader = new AbortController();
    const answer = service.viewOutput(file, { signal: reader.signal }, jobOf('p'))();
    reader.abort();
    expect(await answer).toMatchObject({ left: { _tag: 'DownloadFailed' } });
  });

  it('looks for that server for five seconds at most', async () => {
    const { clock, service } = pooled({ one: {} }, (_, signal) =>
      firstValueFrom(fromAbortSignal(signal), { defaultValue: undefined }).then(() => undefined),
    );
    let told: unknown;
    const answer = service
      .viewOutput(file, undefined, jobOf('p'))()
      .then((one) => (told = one));
    await clock.advance(4_999);
    expect(told).toBeUndefined();
    await clock.advance(1);
    await answer;
    expect(told).toMatchObject({ left: { _tag: 'DownloadFailed' } });
  });

  it('knows the classes of every server that answers', async () => {
    const { service } = pooled({ one: {}, two: { refusal: away }, three: {} });
    expect(await service.objectInfo()()).toEqual(E.right({ one: {}, three: {} }));
    const silent = pooled({ one: { refusal: away }, two: { refusal: serviceError('QueueFull', {}) } });
    expect(await silent.service.objectInfo()()).toEqual(E.left(away));
    expect(silent.calls[0]).toEqual(['classes of one', { userModels: true }]);
  });

  it('checks a workflow on a server that is not known to be away', async () => {
    const { calls, service } = pooled({ one: { health: 'down' }, two: {}, three: {} });
    const options = {};
    expect(await service.preflight({}, options)()).toEqual(E.right('preflight of two'));
    expect(calls).toEqual([['preflight of two', {}, options]]);
  });

  it('is there while one server answers', async () => {
    const { calls, service } = pooled({ one: { refusal: away }, two: {} });
    expect(await service.isReachable(70)).toBe(true);
    expect(calls.map(([name, , options]) => [name, options])).toEqual([
      ['status of one', { timeoutMs: 70 }],
      ['status of two', { timeoutMs: 70 }],
    ]);
    expect(await pooled({ one: { refusal: away } }).service.isReachable(70)).toBe(false);
  });

  it('has nothing without a server', async () => {
    const { service, pool } = pooled({});
    const none = E.left(
      expect.objectContaining({
        ...{ _tag: 'Network', code: 'EAWAY', sent: false, message: 'The pool has no server.' },
        hint: 'Add a server to the pool.',
      }) as unknown,
    );
    const closed = serviceOf({ ...pool, servers: EMPTY } as unknown as GatewayPool, virtualClock());
    for (const one of [service, closed]) {
      expect(await one.objectInfo()()).toEqual(none);
      expect(await one.preflight({})()).toEqual(none);
      expect(await one.isReachable(1)).toBe(false);
      expect(await one.viewOutput(file, undefined, jobOf('', 'one'))()).toMatchObject({ _tag: 'Left' });
    }
  });
});
