import { answerOf, fetchStatus } from '../../src/client/jobs/fetch-status.js';
import { describe, expect, it } from 'vitest';
import { fakeRest } from '../helpers/fake-rest.js';
import type { ServiceError, ServiceErrorTag } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const status = { promptId: 'p', status: 'in_progress', phase: 'in_progress' } as const;
const record = {
  promptId: 'p',
  outputs: { 9: { images: [] } },
  phase: 'completed',
  isFinal: true,
  record: {},
} as const;
type Tag =
  'NotFound' | 'UnexpectedStatus' | 'ServerError' | 'Network' | 'Unauthorized' | 'Closed' | 'InvalidConfig';
const errorOf = (tag: Tag) => serviceError(tag, { code: 'x', sent: true });

describe('answerOf', () => {
  it.each<[string, readonly ServiceErrorTag[]]>([
    ['missing', ['NotFound']],
    [
      'final',
      ['Unauthorized', 'Forbidden', 'InsufficientCredits', 'SubscriptionInactive', 'InvalidConfig', 'Closed'],
    ],
    ['failed', ['Network', 'Timeout', 'Aborted', 'RateLimited', 'QueueFull', 'ServerError']],
    ['odd', ['BadRequest', 'TooLarge', 'UnexpectedStatus', 'ProtocolChanged', 'Decode']],
  ])('F28: is %s for %j', (kind, tags) => {
    const kinds = tags.map((tag) => answerOf(serviceError(tag, { code: 'x', sent: true, reason: 'x' })).kind);
    expect(kinds).toEqual(tags.map(() => kind));
  });
});

describe('fetchStatus', () => {
  it('reads the status', async () => {
    const rest = fakeRest({ jobStatus: () => TE.right(status) });
    expect(await fetchStatus(rest, 'p')()).toEqual({
      kind: 'found',
      event: { _tag: 'StatusRead', promptId: 'p', phase: 'in_progress', failure: undefined },
    });
  });

  it.each(['NotFound', 'UnexpectedStatus', 'ServerError'] as const)(
    'F30: reads history where the status is %s',
    async (tag) => {
      const rest = fakeRest({ jobStatus: () => TE.left(errorOf(tag)), history: () => TE.right(record) });
      expect(await fetchStatus(rest, 'p')()).toMatchObject({
        kind: 'found',
        event: { _tag: 'HistoryRead', promptId: 'p', phase: 'completed', outputs: record.outputs },
      });
    },
  );

  it.each([
    ['NotFound', 'NotFound', 'missing'],
    ['NotFound', 'UnexpectedStatus', 'odd'],
    ['UnexpectedStatus', 'NotFound', 'odd'],
    ['UnexpectedStatus', 'Network', 'failed'],
    ['ServerError', 'NotFound', 'failed'],
    ['ServerError', 'UnexpectedStatus', 'failed'],
    ['NotFound', 'Unauthorized', 'final'],
  ] as const)('takes a status of %s with a history of %s as %s', async (one, other, kind) => {
    const rest = fakeRest({
      jobStatus: () => TE.left(errorOf(one)),
      history: () => TE.left(errorOf(other)),
    });
    expect(await fetchStatus(rest, 'p')()).toMatchObject({ kind });
  });

  it('L12: asks a local server for no history again where the queue and the history reported nothing', async () => {
    let reads = 0;
    const rest = fakeRest({
      jobStatus: () => TE.left(errorOf('NotFound')),
      history: () => () => {
        reads += 1;
        return TE.left(errorOf('NotFound'))();
      },
    });
    expect(await fetchStatus(rest, 'p', { statusIncludesHistory: true })()).toMatchObject({
      kind: 'missing',
    });
    expect(reads).toBe(0);
  });

  it('E22: asks history where the status alone is refused', async () => {
    const rest = fakeRest({
      jobStatus: () => TE.left(errorOf('Unauthorized')),
      history: () => TE.right(record),
    });
    expect(await fetchStatus(rest, 'p')()).toMatchObject({ kind: 'found', event: { phase: 'completed' } });
  });

  it.each([
    ['Network', 'failed'],
    ['Closed', 'final'],
    ['InvalidConfig', 'final'],
  ] as const)('asks for no history after %s', async (tag, kind) => {
    const rest = fakeRest({ jobStatus: () => TE.left(errorOf(tag)), history: () => TE.right(record) });
    expect(await fetchStatus(rest, 'p')()).toMatchObject({ kind, error: { _tag: tag } });
  });

  it('F30: asks a local server for the history where its status fails', async () => {
    const rest = fakeRest({
      jobStatus: () => TE.left(errorOf('ServerError')),
      history: () => TE.right(record),
    });
    const answer = await fetchStatus(rest, 'p', { statusIncludesHistory: true })();
    expect(answer).toMatchObject({ kind: 'found', event: { phase: 'completed' } });
  });
});

describe('fetchStatus with a pace', () => {
  it('F22: waits for a turn before each request after the first', async () => {
    const asked: string[] = [];
    const noted =
      (name: string) =>
      (promptId: string): TE.TaskEither<ServiceError, never> => {
        asked.push(name);
        return TE.left(serviceError('NotFound', { promptId }));
      };
    let give: () => void = () => undefined;
    const nextTurn = (): Promise<void> => new Promise((resolve) => (give = resolve));
    const answer = fetchStatus({ jobStatus: noted('status'), history: noted('history') }, 'p', {
      nextPermit: nextTurn,
    })();
    await new Promise(setImmediate);
    expect(asked).toEqual(['status']);
    give();
    expect(await answer).toMatchObject({ kind: 'missing' });
    expect(asked).toEqual(['status', 'history']);
  });
});
