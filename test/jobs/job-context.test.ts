import { describe, expect, it } from 'vitest';
import { openWork } from '../../src/client/jobs/job-context.js';

const isDone = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => (done = true));
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
  return done;
};

describe('openWork', () => {
  it('refuses nothing before it is drained, and everything from then on', () => {
    const work = openWork();
    expect(work.refusal()).toBeUndefined();
    expect(work.draining.aborted).toBe(false);
    void work.drain();
    expect(work.refusal()).toMatchObject({ _tag: 'Draining', retry: 'never' });
    expect(work.draining.aborted).toBe(true);
  });

  it('is drained at once where nothing is open', async () => {
    expect(await isDone(openWork().drain())).toBe(true);
  });

  it('I-19: is drained when the last piece of work is settled, for every caller that asked', async () => {
    const work = openWork();
    const [one, other] = [work.begin(), work.begin()];
    const drained = [work.drain(), work.drain()];
    one();
    expect(await isDone(drained[0]!)).toBe(false);
    other();
    expect(await Promise.all(drained.map(isDone))).toEqual([true, true]);
  });
});
