import { from, type OperatorFunction } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { collectOutputs } from '../../src/core/operators/collect-outputs.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import type { Outputs } from '../../src/core/state/outputs.js';
import { executed, preview, start, success, unknownText } from '../helpers/frames.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

const one = { images: [{ filename: 'one.png', subfolder: '', type: 'output' }] };
const two = { images: [{ filename: 'two.png', subfolder: '', type: 'output' }], text: ['done'] };

const frames: Record<string, Frame> = {
  a: start('a'),
  p: preview('a', '5'),
  x: executed('a', '9', one),
  y: executed('a', '12', two),
  n: executed('a', '10', null),
  u: unknownText('executed_2', 'a'),
  s: success('a'),
};

const collect = (...sent: readonly Frame[]): Outputs => record(from(sent).pipe(collectOutputs())).values[0]!;

describe('collectOutputs', () => {
  it('emits the union of what was executed, once, at completion', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-x-p-y-u-s-|', frames);
      const subs = '      ^------------!';
      const expected = '  -------------(o|)';
      expectObservable(source.pipe(collectOutputs())).toBe(expected, { o: { 9: one, 12: two } });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('emits an empty object where nothing came', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-n-|', frames).pipe(collectOutputs())).toBe('-----(o|)', { o: {} });
      expectObservable(cold<Frame>('|').pipe(collectOutputs())).toBe('(o|)', { o: {} });
    });
  });

  it('passes an error on and emits nothing', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-x-#', frames);
      expectObservable(source.pipe(collectOutputs())).toBe('---#');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-x-y-|', frames);
      expectObservable(source.pipe(collectOutputs()), '--!').toBe('---');
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  it('shares nothing between two subscriptions', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('               -x-y-|', frames);
      const outputs = source.pipe(collectOutputs());
      expectObservable(outputs).toBe('        -----(o|)', { o: { 9: one, 12: two } });
      expectObservable(outputs, '--^').toBe(' -----(o|)', { o: { 12: two } });
    });
  });

  it('unites what one node gave in several messages, and what was repeated appears once', () => {
    expect(collect(executed('a', '9', one), executed('a', '9', two), executed('a', '9', one))).toEqual({
      9: { images: [...one.images, ...two.images], text: ['done'] },
    });
  });

  it('gives an object without a prototype, in which a node called __proto__ does no harm', () => {
    const outputs = collect(executed('a', '__proto__', one));
    expect(Object.getPrototypeOf(outputs)).toBeNull();
    expect(Object.keys(outputs)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(collect())).toBeNull();
    expect(({} as { images?: unknown }).images).toBeUndefined();
  });

  it('turns frames into outputs', () => {
    expectTypeOf(collectOutputs()).toEqualTypeOf<OperatorFunction<Frame, Outputs>>();
  });
});
