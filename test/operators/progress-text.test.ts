import type { Observable } from 'rxjs';
import { NEVER } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import { progressText } from '../../src/operators/progress-text.js';
import type { Frame, Text } from '../../src/protocol/frames/frame.js';
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
  u: unknownText('Text'),
  w: unknownBinary(1),
  m: malformed,
};

describe('progressText', () => {
  it('passes every one of them, with or without a prompt id, and nothing else', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -p-t-b-P-T-s-u-w-m-|', frames);
      const subs = '       ^------------------!';
      const expected = '   ---t-----T---------|';
      expectObservable(source.pipe(progressText())).toBe(expected, frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes an error on', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-t-b-#', frames);
      expectObservable(source.pipe(progressText())).toBe('-t---#', frames);
      expectSubscriptions(source.subscriptions).toBe('^----!');
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-t-t-t-|', frames);
      expectObservable(source.pipe(progressText()), '----!').toBe('-t-t-', frames);
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('shares nothing between two subscriptions', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-t-|', frames);
      const result = source.pipe(progressText());
      expectObservable(result).toBe('-t-|', frames);
      expectObservable(result, '--^').toBe('---t-|', frames);
      expectSubscriptions(source.subscriptions).toBe(['^--!', '--^--!']);
    });
  });

  it('narrows the type', () => {
    expectTypeOf((NEVER as Observable<Frame>).pipe(progressText())).toEqualTypeOf<Observable<Text>>();
  });
});
