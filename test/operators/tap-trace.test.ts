import { inspect } from 'node:util';
import { of, Subject, throwError, type MonoTypeOperatorFunction } from 'rxjs';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { tapTrace } from '../../src/core/operators/tap-trace.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import {
  executing,
  malformed,
  nodeText,
  preview,
  start,
  unknownBinary,
  unknownText,
} from '../helpers/frames.js';
import { marbles } from '../helpers/marbles.js';

/** A trace of a subject, with a clock that stands unless it is moved. */
const traced = <A = unknown>() => {
  const lines: string[] = [];
  const clock = { time: 5000, now: () => clock.time };
  const source = new Subject<A>();
  const stream = source.pipe(tapTrace('job', { log: (line) => lines.push(line), scheduler: clock }));
  return { lines, clock, source, stream };
};

/** The line that one value leaves, without its head. */
const lineOf = (value: unknown): string => {
  const { lines, source, stream } = traced();
  stream.subscribe();
  source.next(value);
  return lines.at(-1)!.replace('job +0 ms next 1 ', '');
};

describe('tapTrace', () => {
  it('changes nothing of the stream', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const quiet = { log: () => undefined };
      const ends = hot(' -a-b-|');
      const fails = hot('-a-b-#');
      expectObservable(ends.pipe(tapTrace('ends', quiet))).toBe('  -a-b-|');
      expectObservable(fails.pipe(tapTrace('fails', quiet))).toBe('-a-b-#');
      expectObservable(hot('-a-b-|').pipe(tapTrace('cut', quiet)), '--!').toBe('-a-');
      expectSubscriptions(ends.subscriptions).toBe('^----!');
      expectSubscriptions(fails.subscriptions).toBe('^----!');
    });
  });

  it('writes a line for subscription, each value and completion, with the time since the subscription', () => {
    const { lines, clock, source, stream } = traced();
    stream.subscribe();
    clock.time += 20;
    source.next(executing('a', '5'));
    clock.time += 30;
    source.next(preview('a', '5'));
    source.complete();
    expect(lines).toEqual([
      'job +0 ms subscribe',
      'job +20 ms next 1 Event executing',
      'job +50 ms next 2 Preview image/jpeg 2 B',
      'job +50 ms complete',
    ]);
  });

  it('writes an error by its tag or name, and nothing after it', () => {
    const { lines, source, stream } = traced();
    stream.subscribe({ error: () => undefined });
    source.error(serviceError('NotFound', { message: 'secret' }));
    expect(lines).toEqual(['job +0 ms subscribe', 'job +0 ms error NotFound']);
  });

  it('writes an early end as unsubscribe', () => {
    const { lines, stream } = traced();
    stream.subscribe().unsubscribe();
    expect(lines).toEqual(['job +0 ms subscribe', 'job +0 ms unsubscribe']);
  });

  it('counts and times anew for each subscription', () => {
    const { lines, clock, source, stream } = traced<number>();
    stream.subscribe();
    source.next(1);
    clock.time += 10;
    stream.subscribe();
    source.next(2);
    expect(lines).toEqual([
      'job +0 ms subscribe',
      'job +0 ms next 1 1',
      'job +0 ms subscribe',
      'job +10 ms next 2 2',
      'job +0 ms next 1 2',
    ]);
  });

  it('writes to console.debug by default', () => {
    const debug = vi.spyOn(console, 'debug').mockReturnValue(undefined);
    of(true).pipe(tapTrace('flag')).subscribe();
    expect(
      debug.mock.calls.map(([line]: readonly unknown[]) => String(line).replace(/\d+ ms/, '0 ms')),
    ).toEqual(['flag +0 ms subscribe', 'flag +0 ms next 1 true', 'flag +0 ms complete']);
  });

  const uuid = '78d52e31-7c47-4455-98bb-b75413f6e3bf';

  it.each([
    ['Event execution_start of 78d52e31', start(uuid)],
    ['Event execution_start', start('no uuid')],
    ['Preview image/jpeg 2 B', preview()],
    ['Preview image 2 B', { ...preview(), mediaType: 'key=canary' }],
    ['Text of 8', nodeText('5', 'half way')],
    ['Unknown text', unknownText('canary')],
    ['Unknown binary 9', unknownBinary(9)],
    ['Malformed of 2', malformed],
    [
      'JobState in_progress 25 % of 78d52e31',
      { ...initialJobState(), promptId: uuid, phase: 'in_progress', progress: 0.25 },
    ],
    ['string of 6', 'canary'],
    ['17', 17],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
    ['array of 2', ['canary', 'canary']],
    ['object', { canary: 'canary' }],
    ['TypeError', new TypeError('canary')],
    ['Error', Object.assign(new Error('canary'), { name: 'canary' })],
    ['Unauthorized', serviceError('Unauthorized', { message: 'canary' })],
  ])('says in few words: %s', (words, value) => {
    expect(lineOf(value)).toBe(words);
  });

  it('repeats nothing that a service or user put into a value', () => {
    const canary = 'comfyui-canary';
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    of(
      { ...start(canary), data: { token: canary } },
      { ...preview(canary, canary), mediaType: `image/${canary}-${canary}`, metadata: { token: canary } },
      nodeText(canary, canary, canary),
      unknownText(canary, canary),
      { ...malformed, reason: canary, sample: canary },
      { ...initialJobState({ promptId: canary }), warnings: [canary] },
      canary,
      [canary],
      { [canary]: canary },
    )
      .pipe(tapTrace('t', { log }))
      .subscribe();
    for (const error of [
      new Error(canary),
      { message: canary },
      canary,
      serviceError('Closed', { message: canary }),
    ]) {
      throwError(() => error)
        .pipe(tapTrace('t', { log }))
        .subscribe({ error: () => undefined });
    }
    expect(lines).toHaveLength(2 + 9 + 2 * 4);
    expect(inspect(lines)).not.toContain(canary);
  });

  it('keeps the type of the values', () => {
    expectTypeOf(tapTrace<number>('n')).toEqualTypeOf<MonoTypeOperatorFunction<number>>();
    expectTypeOf(of(1).pipe(tapTrace('n'))).toEqualTypeOf(of(1));
  });
});
