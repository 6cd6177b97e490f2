import { describe, expect, it } from 'vitest';
import { emulated, picture } from '../../helpers/emulated.js';
import { clientService } from '../../../src/server/queue/worker/client-service.js';
import type { ClientOptions } from '../../../src/client/client-options.js';
import type { EmulatorOptions } from '../../../src/emulator.js';
import { BehaviorSubject, filter, firstValueFrom, lastValueFrom, of, Subject } from 'rxjs';
import * as E from 'fp-ts/lib/Either.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { Intent } from '../../../src/server/queue/policy/intent.js';
import { toPromise } from '../../../src/core/interop/to-promise.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';
import { realClock } from '../../../src/core/platform/clock.js';

type Dialect = NonNullable<ClientOptions['dialect']>;

const lostAnswer = (path: string) => ({ on: 'rest', route: `POST ${path}`, do: 'commit-then-cut' }) as const;

/** A service of this dialect, and the submissions of one job to it. */
const serviceOf = async (
  dialect: Dialect,
  options: EmulatorOptions = {},
  { isClaimed = () => false }: { readonly isClaimed?: (promptId: string) => boolean } = {},
) => {
  const workflow = picture();
  const { emulator, newClient } = await emulated({ dialect, ...options }, { dialect });
  const requests: string[] = [];
  const client = newClient({}, (platform) => ({
    request: (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return platform.request(request);
    },
  }));
  const submissionId = crypto.randomUUID();
  const service = clientService({
    client,
    stored: { workflow },
    unclaimed: (ids) => Promise.resolve(ids.filter((id) => !isClaimed(id))),
    clock: realClock,
  });
  const intent: Intent = {
    attempt: 1,
    worker: 'w',
    at: Date.now(),
    since: Date.now(),
    submissionIds: client.submissionIds,
    submissionId,
  };
  const another = (other: Workflow = workflow, extraData?: Readonly<Record<string, unknown>>) =>
    toPromise(newClient().rest.submit(other, { extraData }));
  return { workflow, emulator, client, requests, service, submissionId, intent, another };
};

const posts = (requests: readonly string[]): number =>
  requests.filter((request) => request.startsWith('POST')).length;

describe.each<Dialect>(['cloud', 'local', 'v2'])('a submission by a client of the dialect %s', (dialect) => {
  it.each([false, true])(
    'leaves in the turn in which it is asked for, connected: %s',
    async (isConnected) => {
      const { client, requests, service, submissionId, emulator } = await serviceOf(dialect);
      if (isConnected) {
        client.frames.subscribe();
        await firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'open')));
      }
      const answer = service.submit(submissionId, 30_000);
      expect(posts(requests)).toBe(1);
      expect(await answer).toEqual({ _tag: 'accepted', promptId: emulator.ledger.jobs[0]?.promptId });
    },
  );

  it('is sent once where the service refuses it for the moment', async () => {
    const { emulator, requests, service, submissionId } = await serviceOf(dialect);
    const headers = { 'retry-after': '0' };
    emulator.setFaults([{ on: 'rest', route: '*', do: 'answer', status: 429, headers, times: 'every' }]);
    expect(await service.submit(submissionId, 29_999.5)).toMatchObject({
      error: { _tag: 'RateLimited', retry: 'after' },
    });
    expect(posts(requests)).toBe(1);
  });
});

describe('a look for the job of a submission whose answer was lost', () => {
  it('M2: finds the job of a local server by its id or its marker, while it is listed and afterwards', async () => {
    const { emulator, service, submissionId, intent } = await serviceOf('local');
    emulator.setFaults([lostAnswer('/prompt')]);
    expect(await service.observe(intent)).toEqual({ marked: [], alike: [] });
    const answer = await service.submit(submissionId, 30_000);
    expect(answer).toMatchObject({ error: { _tag: 'OutcomeUnknown' } });
    expect(await service.observe(intent)).toEqual({ marked: [submissionId], alike: [] });
  });

  it.each(['0.3.64', '0.6', '0.26', 'latest'] as const)(
    'asks an engine of %s that takes ids for the one of the submission',
    async (engine) => {
      const { emulator, client, service, submissionId, intent } = await serviceOf('local', { engine });
      await service.submit(crypto.randomUUID(), 30_000);
      const { submissionIds } = client;
      expect(submissionIds).toBe('jobs');
      expect(await service.observe({ ...intent, submissionIds })).toEqual({ marked: [], alike: [] });
      emulator.setFaults([lostAnswer('/prompt')]);
      await service.submit(submissionId, 30_000);
      expect(await service.observe({ ...intent, submissionIds })).toEqual({
        marked: [submissionId],
        alike: [],
      });
    },
  );

  it('says nothing where neither the jobs API nor the history of an engine has its own word', async () => {
    const { emulator, client, service, intent } = await serviceOf('local', { engine: 'latest' });
    await service.submit(crypto.randomUUID(), 30_000);
    const body = '{"error": "no upstream"}';
    emulator.setFaults([{ on: 'rest', route: '*', do: 'answer', status: 404, body, times: 'every' }]);
    expect(await service.observe({ ...intent, submissionIds: client.submissionIds })).toBeUndefined();
  });

  it.each([
    ['ended', { speed: Infinity }],
    ['running', { speed: 0.01 }],
  ])('finds the %s job of a cloud service by the marker that it returns', async (_, options) => {
    const { emulator, service, submissionId, intent, another } = await serviceOf('cloud', options);
    emulator.setFaults([lostAnswer('/api/prompt')]);
    await service.submit(submissionId, 30_000);
    await another();
    const [own, foreign] = emulator.ledger.jobs.map(({ promptId }) => promptId);
    expect(await service.observe(intent)).toEqual({ marked: [own], alike: [foreign] });
  });

  it.each([
    ['ended', { speed: Infinity }],
    ['running', { speed: 0.01 }],
  ])('finds the %s jobs that are alike where a cloud service returns no marker', async (_, options) => {
    const switches = { extraDataIs: 'dropped' } as const;
    const claimed = new Set<string>();
    const { emulator, service, submissionId, intent, another } = await serviceOf(
      'cloud',
      { ...options, switches },
      { isClaimed: (promptId) => claimed.has(promptId) },
    );
    emulator.setFaults([lostAnswer('/api/prompt')]);
    await service.submit(submissionId, 30_000);
    await another();
    await another(picture());
    claimed.add((await another()).promptId);
    const [own, foreign] = emulator.ledger.jobs.map(({ promptId }) => promptId);
    const seen = await service.observe(intent);
    expect(seen?.marked).toEqual([]);
    expect(seen?.alike.toSorted()).toEqual([own, foreign].toSorted());
    expect(await service.observe({ ...intent, since: Date.now() + 61_000 })).toEqual({
      marked: [],
      alike: [],
    });
  });

  it('takes no job with the marker of another submission for one that is alike', async () => {
    const { service, intent, another } = await serviceOf('cloud', { speed: 0.01 });
    await another(undefined, { promptwire_submission: crypto.randomUUID() });
    expect(await service.observe(intent)).toEqual({ marked: [], alike: [] });
  });

  it.each([
    ['ended', { speed: Infinity }],
    ['running', { speed: 0.01 }],
  ])('finds the %s job of API v2 where v1 stands beside it', async (_, options) => {
    const switches = { v1Routes: true };
    const { emulator, service, submissionId, intent } = await serviceOf('v2', { ...options, switches });
    emulator.setFaults([lostAnswer('/api/v2/jobs')]);
    await service.submit(submissionId, 30_000);
    expect(await service.submit(submissionId, 30_000)).toMatchObject({
      error: { _tag: 'OutcomeUnknown', keyUsed: true },
    });
    expect(await service.observe(intent)).toEqual({ marked: [], alike: [emulator.ledger.jobs[0]?.promptId] });
  });

  it('sees nothing of API v2 alone', async () => {
    const { emulator, service, submissionId, intent } = await serviceOf('v2');
    emulator.setFaults([lostAnswer('/api/v2/jobs')]);
    await service.submit(submissionId, 30_000);
    expect(await service.observe(intent)).toEqual({ marked: [], alike: [] });
  });

  it.each([
    ['cloud', 'GET /api/queue'],
    ['cloud', 'GET /api/history_v2'],
    ['local', 'GET /queue'],
    ['local', 'GET /history'],
  ] as const)('says nothing for %s where a proxy answers %s', async (dialect, route) => {
    const { emulator, service, intent } = await serviceOf(dialect);
    emulator.setFaults([
      { on: 'rest', route, do: 'answer', status: 404, body: '<html>404</html>', times: 'every' },
    ]);
    expect(await service.observe(intent)).toBeUndefined();
  });
});

describe('a submission that takes too long', () => {
  it.each([
    [
      'did not leave queueStore, can be made another time',
      'Aborted',
      { _tag: 'Timeout', sent: false, retry: 'after' },
    ],
    ['may have left queueStore, stays unknown', 'OutcomeUnknown', { _tag: 'OutcomeUnknown' }],
  ] as const)('N2 and %s', async (_, tag, told) => {
    const { client: queueStore, workflow } = await serviceOf('local');
    const submit: typeof queueStore.rest.submit = (_workflow, options) => () =>
      new Promise((resolve) => {
        const error =
          tag === 'Aborted'
            ? serviceError(tag, { sent: false })
            : serviceError(tag, { candidates: [], startedAt: 0 });
        options?.signal?.addEventListener('abort', () => resolve(E.left(error)));
      });
    const client = { ...queueStore, rest: { ...queueStore.rest, submit } };
    const service = clientService({
      client,
      stored: { workflow },
      unclaimed: () => Promise.resolve([]),
      clock: realClock,
    });
    expect(await service.submit(crypto.randomUUID(), 20)).toMatchObject({ _tag: 'error', error: told });
  });
});

describe('a client that a worker submits by', () => {
  const savesOverSocket = { 1: { class_type: 'SaveImageWebsocket', inputs: {} } };

  /** Its socket is open or opens by the test; each call is noted. */
  const world = (state: 'open' | 'closed', workflow: Workflow = picture()) => {
    const calls: string[] = [];
    const connection = new BehaviorSubject<{ readonly _tag: string }>({ _tag: state });
    const frames = new Subject<unknown>();
    const own = {
      promptId: 'p',
      states: of('own states'),
      frames: of({ _tag: 'Preview', of: 'own' }, { _tag: 'Text' }),
    };
    const client = {
      submissionIds: 'jobs',
      connection,
      frames,
      rest: { submit: () => () => Promise.resolve(E.right((calls.push('rest'), { promptId: 'p' }))) },
      submit: () => () => Promise.resolve(E.right((calls.push('client'), own))),
      follow: (promptId: string) => of(`states of ${promptId}`),
      job: (promptId: string) => ({ frames: of({ _tag: 'Preview', of: promptId }, { _tag: 'Event' }) }),
    } as never;
    const service = clientService({
      client,
      stored: { workflow },
      unclaimed: () => Promise.resolve([]),
      clock: realClock,
    });
    const followed = (promptId: string) =>
      Promise.all([firstValueFrom(service.states(promptId)), lastValueFrom(service.previews(promptId))]);
    return { service, calls, connection, frames, followed };
  };

  it('follows what it has submitted over an open socket by that job, and anything else by its id', async () => {
    const { service, calls, followed } = world('open');
    expect(await followed('p')).toEqual(['states of p', { _tag: 'Preview', of: 'p' }]);
    expect(await service.submit('s', 1_000)).toEqual({ _tag: 'accepted', promptId: 'p' });
    expect(calls).toEqual(['client']);
    expect(await followed('p')).toEqual(['own states', { _tag: 'Preview', of: 'own' }]);
    expect(await followed('q')).toEqual(['states of q', { _tag: 'Preview', of: 'q' }]);
    const closed = world('closed');
    await closed.service.submit('s', 1_000);
    expect(closed.calls).toEqual(['rest']);
    expect(await closed.followed('p')).toEqual(['states of p', { _tag: 'Preview', of: 'p' }]);
  });

  it('opens the socket first where pictures come over it, and lets it go', async () => {
    const { service, calls, connection, frames } = world('closed', savesOverSocket);
    const submitting = service.submit('s', 60_000);
    expect([calls, frames.observed]).toEqual([[], true]);
    connection.next({ _tag: 'connecting' });
    connection.next({ _tag: 'open' });
    await submitting;
    expect([calls, frames.observed, connection.observed]).toEqual([['client'], false, false]);
  });

  it('waits for the socket for half of its time, also where that fails', async () => {
    const { service, calls, frames } = world('closed', savesOverSocket);
    const submitting = service.submit('s', 40);
    frames.error(new Error('refused'));
    expect(calls).toEqual([]);
    await submitting;
    expect(calls).toEqual(['rest']);
  });
});
