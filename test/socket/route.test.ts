import { type Routes, routes } from '../../src/core/socket/route.js';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../../src/core/protocol/attribution/running-prompts.js';

const event = (type: string, promptId: string): Frame =>
  decodeFrame(JSON.stringify({ type, data: { prompt_id: promptId, timestamp: 1, nodes: [] } }));
const picture: Frame = { _tag: 'Preview', mediaType: 'image/png', image: new Uint8Array([1]) };

/** Listens to a job; the returned function ends it. */
const listen = (jobs: Routes, promptId: string, next: (frame: Frame) => void = () => undefined) => {
  const listener = { promptId, next };
  jobs.add(listener);
  return () => jobs.remove(listener);
};

describe('routes', () => {
  it('I-6: delivers to every listener of the job and to no other', () => {
    const jobs = routes();
    const seen: string[] = [];
    listen(jobs, 'a', () => seen.push('a1'));
    listen(jobs, 'a', () => seen.push('a2'));
    listen(jobs, 'b', () => seen.push('b'));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(event('execution_start', 'stranger'));
    expect(seen).toEqual(['a1', 'a2']);
  });

  const status = (queue_remaining: number, isNested = true): Frame =>
    decodeFrame(
      JSON.stringify({
        type: 'status',
        data: isNested ? { status: { exec_info: { queue_remaining } } } : { queue_remaining },
      }),
    );

  it.each([
    ['its own start', event('execution_start', 'own'), true],
    ['an empty queue', status(0), false],
    ['an empty queue, told flat', status(0, false), false],
  ])(
    'C19: a foreign job without an end blinds nobody after %s, where one runs at a time',
    (_, sign, isStart) => {
      const jobs = routes(true);
      const seen: string[] = [];
      listen(jobs, 'own', ({ _tag }) => seen.push(_tag));
      jobs.deliver(event('execution_cached', 'foreign'));
      jobs.deliver(sign);
      if (!isStart) jobs.deliver(event('execution_cached', 'own'));
      jobs.deliver(picture);
      expect(seen).toEqual(['Event', 'Preview']);
    },
  );

  it('C19: a queue that is not empty, and the start of another job in the cloud, end nobody', () => {
    const local = routes(true);
    const cloud = routes();
    const seen: string[] = [];
    for (const jobs of [local, cloud]) {
      listen(jobs, 'own', ({ _tag }) => seen.push(_tag));
      jobs.deliver(event('execution_start', 'own'));
      jobs.deliver(jobs === local ? status(1) : event('execution_start', 'other'));
      jobs.deliver(picture);
    }
    expect(seen).toEqual(['Event', 'Preview', 'Event']);
  });

  it('forgets a job with its last listener', () => {
    const jobs = routes();
    const first = listen(jobs, 'a');
    const second = listen(jobs, 'a');
    first();
    expect(jobs.has('a')).toBe(true);
    second();
    expect(jobs.has('a')).toBe(false);
  });

  it('C9: gives a picture without a name to the only running job, foreign ones counted', () => {
    const jobs = routes();
    const seen: Frame[] = [];
    listen(jobs, 'a', (frame) => seen.push(frame));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(picture);
    jobs.deliver(event('execution_start', 'stranger'));
    jobs.deliver(picture);
    jobs.deliver(event('execution_success', 'stranger'));
    jobs.deliver(picture);
    expect(seen.filter(({ _tag }) => _tag === 'Preview')).toHaveLength(2);
  });

  it('C9: gives a picture without a name to no job that has ended, or that is watched again by then', () => {
    const jobs = routes();
    const seen: string[] = [];
    const leave = listen(jobs, 'a', ({ _tag }) => seen.push(`first ${_tag}`));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(picture);
    jobs.deliver(event('execution_success', 'a'));
    jobs.deliver(picture);
    leave();
    listen(jobs, 'a', ({ _tag }) => seen.push(`second ${_tag}`));
    jobs.deliver(event('execution_cached', 'a'));
    jobs.deliver(picture);
    expect(seen).toEqual(['first Event', 'first Preview', 'first Event', 'second Event']);
  });

  it('C9: knows of jobs that began while nobody listened at all', () => {
    const jobs = routes();
    const seen: Frame[] = [];
    jobs.deliver(event('execution_start', 'a'));
    listen(jobs, 'a', (frame) => seen.push(frame));
    jobs.deliver(picture);
    jobs.pass('stranger');
    jobs.deliver(picture);
    jobs.deliver(event('execution_success', 'stranger'));
    jobs.deliver(picture);
    expect(seen).toEqual([picture, picture]);
  });

  it('I-6: delivers to each of three listeners, while they leave one by one', () => {
    const jobs = routes();
    const seen: number[] = [];
    const ends = [1, 2, 3].map((who) => listen(jobs, 'a', () => seen.push(who)));
    const toAll = (): readonly number[] => {
      jobs.deliver(event('execution_cached', 'a'));
      return seen.splice(0);
    };
    expect(toAll()).toEqual([1, 2, 3]);
    for (const [nth, left] of [[2, 3], [3], []].entries()) {
      ends[nth]!();
      ends[nth]!();
      expect(toAll()).toEqual(left);
    }
    expect(jobs.has('a')).toBe(false);
  });

  it('B2: counts what jobs say, whoever listens, and not what the service says of itself', () => {
    const jobs = routes();
    const counts: number[] = [];
    const said = [
      event('execution_start', 'a'),
      picture,
      { _tag: 'Text', nodeId: '1', text: 'x' } as const,
      decodeFrame('{"type":"status","data":{}}'),
      decodeFrame('no JSON'),
    ];
    for (const frame of said) {
      jobs.deliver(frame);
      counts.push(jobs.received);
    }
    jobs.pass('a');
    expect([...counts, jobs.received]).toEqual([1, 2, 3, 3, 3, 4]);
  });

  it('gives pictures to nobody after forgetting, until an event tells who runs', () => {
    const jobs = routes();
    const seen: Frame[] = [];
    listen(jobs, 'a', (frame) => seen.push(frame));
    jobs.deliver(event('execution_start', 'a'));
    jobs.forget();
    jobs.deliver(picture);
    expect(seen).toHaveLength(1);
    jobs.deliver(event('execution_cached', 'a'));
    jobs.deliver(picture);
    expect(seen.at(-1)).toBe(picture);
  });

  it('I-3: survives a listener that leaves while a frame is delivered', () => {
    const jobs = routes();
    const seen: string[] = [];
    const first = listen(jobs, 'a', () => {
      seen.push('first');
      first();
    });
    listen(jobs, 'a', () => seen.push('second'));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(event('execution_success', 'a'));
    expect(seen).toEqual(['first', 'second', 'second']);
  });

  it('law: whoever listens, a frame goes where one look at all frames would send it', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const frames = fc.oneof(
      fc
        .tuple(fc.constantFrom('execution_start', 'executing', 'execution_success'), id)
        .map(([type, promptId]) => event(type, promptId)),
      fc.constant(picture),
    );
    const steps = fc.oneof(
      { weight: 6, arbitrary: fc.record({ frame: frames }) },
      { weight: 2, arbitrary: id.map((joins) => ({ joins })) },
      { weight: 1, arbitrary: id.map((leaves) => ({ leaves })) },
      { weight: 1, arbitrary: fc.constant({ forgets: true }) },
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (list) => {
        const jobs = routes();
        const running = runningPrompts();
        /** Of each job the ends of its listeners, the oldest first. */
        const listening = new Map<string, readonly (() => void)[]>();
        let given: readonly string[] = [];
        for (const step of list) {
          if ('joins' in step) {
            const end = listen(jobs, step.joins, () => (given = [...given, step.joins]));
            listening.set(step.joins, [...(listening.get(step.joins) ?? []), end]);
          } else if ('leaves' in step) {
            const [oldest, ...others] = listening.get(step.leaves) ?? [];
            oldest?.();
            listening.set(step.leaves, others);
          } else if ('forgets' in step) {
            jobs.forget();
            running.clear();
          } else {
            given = [];
            jobs.deliver(step.frame);
            const owner = ownerOf(step.frame, running);
            expect(given).toEqual((listening.get(owner ?? '') ?? []).map(() => owner));
          }
        }
      }),
    );
  });
});
