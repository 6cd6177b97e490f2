import { describe, expect, it } from 'vitest';
import { ownerLogWriter } from '../../../src/server/gateway/registry/owner-log-writer.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
};

describe('the writer of the logs of owners', () => {
  it('does the work of one owner in order, also after work that failed, and holds up no other owner', async () => {
    const clock = virtualClock();
    const writer = ownerLogWriter(clock, new AbortController().signal);
    const first = gate();
    const done: string[] = [];
    const one = writer.inOrder('alice', async () => {
      await first.opened;
      done.push('one');
      throw new Error('no disk');
    });
    const two = writer.inOrder('alice', () => Promise.resolve(void done.push('two')));
    await writer.inOrder('bob', () => Promise.resolve(void done.push('bob')));
    first.open();
    await expect(one).rejects.toThrow('no disk');
    await two;
    expect(done).toEqual(['bob', 'one', 'two']);
    await writer.inOrder('alice', () => Promise.resolve(void done.push('later')));
    expect(done.at(-1)).toBe('later');
  });

  it('begins no work in the turn in which it gets it', async () => {
    const writer = ownerLogWriter(virtualClock(), new AbortController().signal);
    let hasBegun = false;
    const done = writer.inOrder('alice', () => Promise.resolve(void (hasBegun = true)));
    expect(hasBegun).toBe(false);
    await done;
    expect(hasBegun).toBe(true);
  });

  it('asks again each second until the log answers, nothing wants the answer any more, or the gateway stops', async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const writer = ownerLogWriter(clock, stop.signal);
    const asked: string[] = [];
    const wanted = new Set(['a', 'b', 'c']);
    const ask = (name: string, failures: number) => {
      let left = failures;
      return writer.retryUntilStored(
        () => wanted.has(name),
        () => {
          asked.push(name);
          left -= 1;
          return left < 0 ? Promise.resolve(name) : Promise.reject(new Error('no disk'));
        },
      );
    };
    const [a, b, c, d] = [ask('a', 2), ask('b', 9), ask('c', 9), ask('d', 0)];
    expect(await d).toBeUndefined();
    await clock.advance(1_000);
    wanted.delete('b');
    await clock.advance(1_000);
    expect([await a, await b]).toEqual(['a', undefined]);
    stop.abort();
    expect(await c).toBeUndefined();
    expect(asked.join('')).toBe('abcabcacc');
    expect(clock.pending()).toBe(0);
  });

  it('keeps no process alive while it waits for a log that does not answer', async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const writer = ownerLogWriter(clock, stop.signal);
    const asked = writer.retryUntilStored(
      () => true,
      (): Promise<string> => Promise.reject(new Error('no disk')),
    );
    await clock.runUntilIdle();
    expect([clock.now(), clock.pending()]).toEqual([0, 1]);
    stop.abort();
    expect(await asked).toBeUndefined();
  });

  it('has settled once all work so far is done', async () => {
    const writer = ownerLogWriter(virtualClock(), new AbortController().signal);
    const work = gate();
    let isDone = false;
    void writer.inOrder('alice', () => work.opened);
    const settled = writer.settled().then(() => (isDone = true));
    await Promise.resolve();
    expect(isDone).toBe(false);
    work.open();
    await settled;
  });
});
