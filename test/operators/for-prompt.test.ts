import type { MonoTypeOperatorFunction } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import { forPrompt } from '../../src/core/operators/for-prompt.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import {
  executing,
  failure,
  malformed,
  nodeText,
  preview,
  queueStatus,
  start,
  step,
  success,
  unknownBinary,
  unknownText,
} from '../helpers/frames.js';
import { marbles } from '../helpers/marbles.js';

const frames: Record<string, Frame> = {
  a: start('a'),
  b: start('b'),
  c: step('a', '5', 1, 20),
  x: success('a'),
  y: success('b'),
  z: failure('a', 'ExecutionBlocked'),
  e: executing('a', null),
  p: preview(),
  q: preview('a', '5'),
  t: nodeText('5', 'half way'),
  s: queueStatus(1),
  u: unknownText('news'),
  v: unknownText('news', 'a'),
  w: unknownBinary(9),
  m: malformed,
};

describe('forPrompt', () => {
  it('passes frames of every kind that name the job, and none of another job', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-b-c-q-v-y-x-e-|', frames);
      const subs = '       ^----------------!';
      const expected = '   -a---c-q-v---x-e-|';
      expectObservable(source.pipe(forPrompt('a'))).toBe(expected, frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes pictures and texts without a prompt id only while the job is the only one that runs', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -p-a-p-t-b-p-t-y-p-x-p-|', frames);
      const expected = '   ---a-p-t---------p-x---|';
      expectObservable(source.pipe(forPrompt('a'))).toBe(expected, frames);
    });
  });

  it('drops them while only another job runs', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -b-p-t-y-p-|', frames);
      const expected = '   -----------|';
      expectObservable(source.pipe(forPrompt('a'))).toBe(expected, frames);
    });
  });

  it('does not take ExecutionBlocked for an end', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-z-p-|', frames);
      const expected = '   -a-z-p-|';
      expectObservable(source.pipe(forPrompt('a'))).toBe(expected, frames);
    });
  });

  it('passes the trailing executing of an ended job, and does not count the job as running again', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-x-e-p-|', frames);
      const expected = '   -a-x-e---|';
      expectObservable(source.pipe(forPrompt('a'))).toBe(expected, frames);
    });
  });

  it('never passes text messages without a prompt id, unknown or malformed frames', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-s-u-w-m-|', frames);
      const expected = '   -a---------|';
      expectObservable(source.pipe(forPrompt('a'))).toBe(expected, frames);
    });
  });

  it('passes an error on', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-c-#', frames);
      const subs = '       ^----!';
      expectObservable(source.pipe(forPrompt('a'))).toBe('-a-c-#', frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-c-c-c-|', frames);
      const unsub = '      ----!';
      const subs = '       ^---!';
      expectObservable(source.pipe(forPrompt('a')), unsub).toBe('-a-c-', frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('shares nothing between two subscriptions', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-p-b-p-y-p-|', frames);
      const first = '      ^------------!';
      const second = '     ------^------!';
      const ofA = source.pipe(forPrompt('a'));
      expectObservable(ofA, first).toBe('  -a-p-------p-', frames);
      // Nothing of job a was seen here: the picture may belong to anybody.
      expectObservable(ofA, second).toBe(' -------------', frames);
      expectSubscriptions(source.subscriptions).toBe([first, second]);
    });
  });

  it('keeps the type of frames', () => {
    expectTypeOf(forPrompt('a')).toEqualTypeOf<MonoTypeOperatorFunction<Frame>>();
  });
});
