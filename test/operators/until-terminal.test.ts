import { EMPTY, of, Subject } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { untilTerminal } from '../../src/core/operators/until-terminal.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { isServiceError } from '../../src/core/errors/service-error.js';
import type { MonoTypeOperatorFunction } from 'rxjs';
import { executing, failure, interrupted, start, step, success } from '../helpers/frames.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

const frames: Record<string, Frame> = {
  a: start('a'),
  b: step('a', '5', 1, 20),
  z: failure('a', 'ExecutionBlocked'),
  e: executing('a', null),
  s: success('a'),
  f: failure('a'),
  i: interrupted('a'),
};

describe('untilTerminal', () => {
  it.each([['s'], ['f'], ['i']])('passes frames up to and with the end (%s), then completes', (end) => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(`-a-b-${end}-b-|`, frames);
      const subs = '      ^----!';
      const expected = `  -a-b-(${end}|)`;
      expectObservable(source.pipe(untilTerminal())).toBe(expected, frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('goes on after ExecutionBlocked and after executing without a node', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-z-e-s-|', frames);
      const expected = '  -a-z-e-(s|)';
      expectObservable(source.pipe(untilTerminal())).toBe(expected, frames);
      expectObservable(source.pipe(untilTerminal({ failure: 'error' }))).toBe(expected, frames);
    });
  });

  it('completes early with its source', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-b-|', frames);
      expectObservable(source.pipe(untilTerminal())).toBe('-a-b-|', frames);
    });
  });

  it('with failure: error errors with Closed where the source completes before the end', () => {
    const seen = record(of(start('a'), step('a', '5', 1, 20)).pipe(untilTerminal({ failure: 'error' })));
    expect(seen).toMatchObject({ values: [start('a'), step('a', '5', 1, 20)], error: { _tag: 'Closed' } });
    const ended = record(of(start('a'), success('a')).pipe(untilTerminal({ failure: 'error' })));
    expect(ended).toMatchObject({ values: [start('a'), success('a')], end: 'complete' });
    expect(record(EMPTY.pipe(untilTerminal({ failure: 'error' }))).error).toMatchObject({ _tag: 'Closed' });
  });

  it('passes an error of the source on', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-#', frames);
      const subs = '      ^----!';
      expectObservable(source.pipe(untilTerminal())).toBe('-a-b-#', frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-b-s-|', frames);
      const unsub = '     ----!';
      const subs = '      ^---!';
      expectObservable(source.pipe(untilTerminal()), unsub).toBe('-a-b-', frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('shares nothing between two subscriptions', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-s-b|', frames);
      const ended = source.pipe(untilTerminal());
      expectObservable(ended).toBe('               -a-(s|)', frames);
      expectObservable(ended, '     -----^').toBe('------a-(s|)', frames);
      expectSubscriptions(source.subscriptions).toBe(['^--!', '-----^--!']);
    });
  });

  describe("with failure: 'error'", () => {
    const errorOf = (...sent: readonly Frame[]) => {
      const source = new Subject<Frame>();
      const seen: Frame[] = [];
      let told: unknown;
      source
        .pipe(untilTerminal({ failure: 'error' }))
        .subscribe({ next: (frame) => seen.push(frame), error: (error: unknown) => (told = error) });
      for (const frame of sent) source.next(frame);
      return { told, seen, observed: source.observed };
    };

    it('makes a failure the error JobFailed, with the words of the service, in place of the frame', () => {
      const { told, seen, observed } = errorOf(start('a'), failure('a'));
      expect(seen).toEqual([start('a')]);
      expect(told).toBeInstanceOf(Error);
      expect(told).toMatchObject({
        _tag: 'JobFailed',
        promptId: 'a',
        failure: {
          exceptionType: 'ValueError',
          exceptionMessage: 'it broke',
          nodeId: '5',
          nodeType: 'KSampler',
        },
      });
      expect(observed).toBe(false);
    });

    it('makes an interruption the error JobCancelled', () => {
      const { told, seen } = errorOf(start('a'), interrupted('a'));
      expect(seen).toEqual([start('a')]);
      expect(isServiceError(told)).toBe(true);
      expect(told).toMatchObject({ _tag: 'JobCancelled', promptId: 'a' });
    });

    it('leaves success what it is', () => {
      marbles(({ hot, expectObservable, expectSubscriptions }) => {
        const source = hot('-a-s-b-|', frames);
        expectObservable(source.pipe(untilTerminal({ failure: 'error' }))).toBe('-a-(s|)', frames);
        expectSubscriptions(source.subscriptions).toBe('^--!');
      });
    });
  });

  it('keeps the type of frames', () => {
    expectTypeOf(untilTerminal).returns.toEqualTypeOf<MonoTypeOperatorFunction<Frame>>();
  });
});
