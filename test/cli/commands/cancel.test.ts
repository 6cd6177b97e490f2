import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { cancelAndConfirm } from '../../../src/cli/commands/cancel.js';
import { serviceError } from '../../../src/node.js';

const missing = serviceError('NotFound', { message: 'none' });
const broken = serviceError('Network', { code: 'ECONNRESET', sent: true, message: 'gone' });
type Said = 'pending' | 'in_progress' | 'completed' | 'cancelled' | typeof missing | typeof broken;

/** Cancels a job of which the service says this, the last of it from then on; when it was asked, and how it ended. */
const cancelled = async (
  said: readonly Said[],
  { refused, stop }: { refused?: Error; stop?: AbortSignal } = {},
) => {
  const scheduler = new VirtualTimeScheduler();
  const [reads, cancels]: [number[], number[]] = [[], []];
  const client = {
    rest: {
      jobStatus: () => () => {
        const word = said[Math.min(reads.length, said.length - 1)];
        reads.push(scheduler.now());
        return Promise.resolve(
          typeof word === 'string' ? { _tag: 'Right', right: { phase: word } } : { _tag: 'Left', left: word },
        );
      },
    },
    cancel: () => () => {
      cancels.push(scheduler.now());
      return Promise.resolve(refused === undefined ? { _tag: 'Right' } : { _tag: 'Left', left: refused });
    },
  };
  const ends: unknown[] = [];
  const signal = stop ?? new AbortController().signal;
  const ending = cancelAndConfirm(client as never, 'p', { signal, scheduler }).finally(() =>
    ends.push('over'),
  );
  for (let ms = 0; ms <= 10_000; ms += 250) {
    // What was answered is seen before the clock goes on.
    await new Promise((resolve) => setImmediate(resolve));
    if (ends.length > 0) break;
    scheduler.maxFrames = ms;
    scheduler.flush();
  }
  return { outcome: await ending, reads, cancels };
};

describe('cancelAndConfirm', () => {
  it('asks for nothing where the job is over', async () => {
    expect(await cancelled(['completed'])).toEqual({
      outcome: { _tag: 'over', phase: 'completed' },
      reads: [0],
      cancels: [],
    });
  });

  it('gives up where the service refuses', async () => {
    const refused = serviceError('Forbidden', { message: 'no' });
    expect(await cancelled(['in_progress'], { refused })).toEqual({
      outcome: { _tag: 'failed', error: refused },
      reads: [0],
      cancels: [0],
    });
  });

  it('asks again while the job runs, ever more seldom, for ten seconds', async () => {
    const { outcome, reads, cancels } = await cancelled(['in_progress']);
    const asked = [0, 250, 750, 1_750, 3_750, 5_750, 7_750, 9_750];
    expect([reads, cancels]).toEqual([
      [0, ...asked],
      [0, ...asked],
    ]);
    expect(outcome).toMatchObject({
      _tag: 'failed',
      error: { _tag: 'CancelNotApplied', promptId: 'p', phase: 'in_progress' },
    });
  });

  it('tells how it ended, and asks for nothing more', async () => {
    const gone = await cancelled(['pending', 'in_progress', 'cancelled']);
    expect(gone).toEqual({ outcome: { _tag: 'cancelled' }, reads: [0, 0, 250], cancels: [0, 0] });
    expect((await cancelled(['pending', 'completed'])).outcome).toEqual({ _tag: 'over', phase: 'completed' });
  });

  it('takes a job for cancelled that is forgotten after it was known, and no other', async () => {
    expect((await cancelled(['pending', missing])).outcome).toEqual({ _tag: 'cancelled' });
    expect((await cancelled([missing, missing])).outcome).toEqual({ _tag: 'failed', error: missing });
    expect((await cancelled([missing, 'cancelled'])).outcome).toEqual({ _tag: 'cancelled' });
  });

  it('asks again where no answer comes', async () => {
    const { outcome, reads, cancels } = await cancelled(['pending', broken, 'cancelled']);
    expect([outcome, reads, cancels]).toEqual([{ _tag: 'cancelled' }, [0, 0, 250], [0]]);
  });

  it('ends with the command', async () => {
    expect((await cancelled(['in_progress'], { stop: AbortSignal.abort() })).outcome).toMatchObject({
      _tag: 'failed',
    });
  });
});
