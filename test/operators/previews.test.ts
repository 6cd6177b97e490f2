import type { Observable } from 'rxjs';
import { NEVER } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import { previews } from '../../src/operators/previews.js';
import type { Frame, Preview } from '../../src/protocol/frames/frame.js';
import {
  malformed,
  nodeText,
  preview,
  queueStatus,
  step,
  unknownBinary,
  unknownText,
} from '../helpers/frames.js';
import { marbles } from '../helpers/marbles.js';

const frames: Record<string, Frame> = {
  p: preview(),
  P: preview('a', '5'),
  t: nodeText('5', 'half way'),
  T: nodeText('5', 'nearly', 'a'),
  b: step('a', '5', 1, 20),
  s: queueStatus(1),
  u: unknownText('Preview'),
  w: unknownBinary(1),
  m: malformed,
};

describe('previews', () => {
  it('passes every one of them, with or without a prompt id, and nothing else', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -p-t-b-P-T-s-u-w-m-|', frames);
      const subs = '       ^------------------!';
      const expected = '   -p-----P-----------|';
      expectObservable(source.pipe(previews())).toBe(expected, frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes an error on', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-p-b-#', frames);
      expectObservable(source.pipe(previews())).toBe('-p---#', frames);
      expectSubscriptions(source.subscriptions).toBe('^----!');
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-p-p-p-|', frames);
      expectObservable(source.pipe(previews()), '----!').toBe('-p-p-', frames);
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('shares nothing between two subscriptions', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-p-|', frames);
      const result = source.pipe(previews());
      expectObservable(result).toBe('-p-|', frames);
      expectObservable(result, '--^').toBe('---p-|', frames);
      expectSubscriptions(source.subscriptions).toBe(['^--!', '--^--!']);
    });
  });

  it('narrows the type', () => {
    expectTypeOf((NEVER as Observable<Frame>).pipe(previews())).toEqualTypeOf<Observable<Preview>>();
  });
});
