import { describe, expect, it } from 'vitest';
import { serialQueues } from '../../src/core/interop/serial-queues.js';

describe('the work of serial queues', () => {
  it('runs one piece after the other by name, those of other names beside it, and settles as it does', async () => {
    const queues = serialQueues();
    const began: string[] = [];
    let release: () => void = () => undefined;
    const first = queues.run('a', async () => {
      began.push('a1');
      await new Promise<void>((resolve) => (release = resolve));
      throw new Error('a1 failed');
    });
    const second = queues.run('a', () => Promise.resolve(began.push('a2')));
    expect(began).toEqual([]);
    await queues.run('b', () => Promise.resolve(began.push('b1')));
    expect(began).toEqual(['a1', 'b1']);
    release();
    await expect(first).rejects.toThrow('a1 failed');
    expect([await second, began]).toEqual([3, ['a1', 'b1', 'a2']]);
  });

  it('is settled once all of it is done, whatever came of it', async () => {
    const queues = serialQueues();
    const done: string[] = [];
    const failed = queues.run('a', () => Promise.reject(new Error('no'))).catch(() => done.push('a'));
    void queues.run('a', () => Promise.resolve()).then(() => done.push('b'));
    await queues.settled();
    await failed;
    expect(done).toEqual(['a', 'b']);
    await queues.settled();
  });
});
