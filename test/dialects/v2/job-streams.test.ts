import { describe, expect, it } from 'vitest';
import { left } from '../../../src/core/protocol/either.js';
import { jobStreams } from '../../../src/client/dialects/v2/job-streams.js';
import { marbles } from '../../helpers/marbles.js';
import { StreamEnd } from '../../../src/client/dialects/v2/event-stream.js';
import type { StreamEvent } from '../../../src/client/dialects/v2/messages.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { asyncScheduler, of, type SchedulerLike, Subscription, tap } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';

/** The time of a marble test as a platform's. */
const timeOf = (scheduler: SchedulerLike) => ({
  clock: {
    now: () => scheduler.now(),
    wall: () => scheduler.now(),
    after: (delayMs: number, work: () => void) => {
      const timer = new Subscription();
      timer.add(scheduler.schedule(work, delayMs));
      return () => timer.unsubscribe();
    },
  },
  random: () => 0.5,
});

const lost = new StreamEnd('lost');
const tooMany = new StreamEnd('throttled', { status: 429 });
const refused = new StreamEnd('refused', { status: 401 });
const running: StreamEvent = { event: 'log', data: {} };

/** The streams of jobs a, b, …: each connection by its marbles, which open it at once. */
const played = (
  { cold }: Pick<RunHelpers, 'cold'>,
  connections: Readonly<Record<string, readonly string[]>>,
  error: unknown = lost,
) => {
  const opened: ReturnType<RunHelpers['cold']>[] = [];
  const counts: Record<string, number> = {};
  let current = '';
  const streams = jobStreams(
    {
      platform: timeOf(asyncScheduler),
      request: (promptId) => {
        current = promptId;
        return new Promise(() => undefined);
      },
      record: () => of(left(serviceError('NotFound', {}))),
      refusal: () => new Promise(() => undefined),
    },
    ({ request, opened: isOpen }) => {
      void request(new AbortController().signal);
      const turn = (counts[current] = (counts[current] ?? -1) + 1);
      const marble = connections[current]?.[turn] ?? '-';
      const connection = cold(marble, { r: running }, error);
      opened.push(connection);
      return connection.pipe(tap({ subscribe: isOpen }));
    },
  );
  return { streams, opened };
};

const all = { has: () => true };

describe('jobStreams', () => {
  it('opens five streams at once, and the next one when one is left', () =>
    marbles(({ cold, hot, expectSubscriptions, expectObservable, flush }) => {
      const joined = hot(' (abcdefg)-------|');
      const left = hot('   ----b--(ce)-----');
      const { streams, opened } = played({ cold }, {});
      const open = streams({ ...all, joined, left }, () => undefined);
      expectObservable(open, '^---------!');
      flush();
      const lives = opened.map(({ subscriptions: [life] }) => [
        life?.subscribedFrame,
        life?.unsubscribedFrame,
      ]);
      expect(lives.map((life) => life.join())).toEqual(['0,10', '0,4', '0,7', '0,10', '0,7', '4,10', '7,10']);
      expectSubscriptions(joined.subscriptions).toBe('^---------!');
    }));

  it('opens a stream again for a job that was left and is followed once more', () =>
    marbles(({ cold, hot, expectObservable, flush }) => {
      const joined = hot('a----a--');
      const left = hot('  --a-----');
      const { streams, opened } = played({ cold }, {});
      expectObservable(
        streams({ ...all, joined, left }, () => undefined),
        '^-------!',
      );
      flush();
      const lives = opened.map(({ subscriptions: [life] }) => [
        life?.subscribedFrame,
        life?.unsubscribedFrame,
      ]);
      expect(lives).toEqual([
        [0, 2],
        [5, 8],
      ]);
    }));

  it('reopens a lost stream by backoff while another one is open, and errors where none is', () =>
    marbles(({ cold, hot, expectObservable }) => {
      const joined = hot('(ab)-');
      const { streams } = played({ cold }, { a: ['r-#', 'r'], b: ['----- 1s #'] });
      const open = streams({ ...all, joined, left: cold('-') }, () => undefined);
      expectObservable(open).toBe('m 501ms m', {
        m: '{"type":"v2/log","data":{"prompt_id":"a","v2":{"event":"log","data":{}}}}',
      });
    }));

  it('errors with the loss of the only stream', () =>
    marbles(({ cold, hot, expectObservable }) => {
      const joined = hot('a');
      const { streams } = played({ cold }, { a: ['--#'] });
      expectObservable(streams({ ...all, joined, left: cold('-') }, () => undefined)).toBe('--#', {}, lost);
    }));

  it('counts a stream no more whose job was left: the loss of the other one is that of the only stream', () =>
    marbles(({ cold, hot, expectObservable }) => {
      const joined = hot('(ab)');
      const left = hot('  --a');
      const { streams } = played({ cold }, { b: ['-----#'] });
      expectObservable(streams({ ...all, joined, left }, () => undefined)).toBe('-----#', {}, lost);
    }));

  it.each([
    ['too many streams', tooMany],
    ['a refused key that REST does not confirm in time', refused],
  ])('does not come back at once after %s', (_, end) =>
    marbles(({ cold, hot, flush, expectObservable }) => {
      const joined = hot('a');
      const { streams, opened } = played({ cold }, { a: ['#', '#'] }, end);
      expectObservable(
        streams({ ...all, joined, left: cold('-') }, () => undefined),
        '^ 5s !',
      );
      flush();
      expect(opened).toHaveLength(1);
    }),
  );

  it('leaves a job alone that is followed no more when its turn comes', () =>
    marbles(({ cold, hot, flush, expectObservable }) => {
      const joined = hot('(ab)');
      const { streams, opened } = played({ cold }, {});
      expectObservable(
        streams({ has: (promptId) => promptId === 'a', joined, left: cold('-') }, () => undefined),
        '^-!',
      );
      flush();
      expect(opened).toHaveLength(1);
    }));
});
