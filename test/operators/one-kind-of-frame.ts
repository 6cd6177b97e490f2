import type { OperatorFunction } from 'rxjs';
import { describe, it } from 'vitest';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
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

/** What {@link passesOneKind} plays: `k` and `K` are of the kind, without a prompt id and with one; `o` and `O` are not. */
interface OneKind {
  readonly k: Frame;
  readonly K: Frame;
  readonly o: Frame;
  readonly O: Frame;
}

/** Frames of two kinds that an operator may be there for. */
export const kindsOfFrames = {
  preview: {
    k: preview(),
    K: preview('a', '5'),
    o: nodeText('5', 'half way'),
    O: nodeText('5', 'nearly', 'a'),
  },
  text: { k: nodeText('5', 'half way'), K: nodeText('5', 'nearly', 'a'), o: preview(), O: preview('a', '5') },
} satisfies Record<string, OneKind>;

/** What holds of each operator that passes the frames of one kind. */
export const passesOneKind = (
  name: string,
  operator: () => OperatorFunction<Frame, Frame>,
  kind: OneKind,
): void => {
  const frames: Record<string, Frame> = {
    ...kind,
    b: step('a', '5', 1, 20),
    s: queueStatus(1),
    u: unknownText('Preview'),
    v: unknownText('Text'),
    w: unknownBinary(1),
    m: malformed,
  };

  describe(name, () => {
    it('passes every one of them, with or without a prompt id, and nothing else', () => {
      marbles(({ hot, expectObservable, expectSubscriptions }) => {
        const source = hot(' -k-o-b-K-O-s-u-v-w-m-|', frames);
        const subs = '       ^--------------------!';
        const expected = '   -k-----K-------------|';
        expectObservable(source.pipe(operator())).toBe(expected, frames);
        expectSubscriptions(source.subscriptions).toBe(subs);
      });
    });

    it('passes an error on', () => {
      marbles(({ hot, expectObservable, expectSubscriptions }) => {
        const source = hot('-k-b-#', frames);
        expectObservable(source.pipe(operator())).toBe('-k---#', frames);
        expectSubscriptions(source.subscriptions).toBe('^----!');
      });
    });

    it('unsubscribes from the source with its subscriber', () => {
      marbles(({ hot, expectObservable, expectSubscriptions }) => {
        const source = hot('-k-k-k-|', frames);
        expectObservable(source.pipe(operator()), '----!').toBe('-k-k-', frames);
        expectSubscriptions(source.subscriptions).toBe('^---!');
      });
    });

    it('shares nothing between two subscriptions', () => {
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('-k-|', frames);
        const result = source.pipe(operator());
        expectObservable(result).toBe('-k-|', frames);
        expectObservable(result, '--^').toBe('---k-|', frames);
        expectSubscriptions(source.subscriptions).toBe(['^--!', '--^--!']);
      });
    });
  });
};
