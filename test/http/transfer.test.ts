import { describe, expect, it } from 'vitest';
import { CallScope } from '../../src/core/http/call-scope.js';
import { transferOf } from '../../src/core/http/transfer.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const mebibyte = 1024 * 1024;
const form = [{ name: 'image', filename: 'a.bin', content: new Blob([new Uint8Array(16 * mebibyte)]) }];
const json = 'x'.repeat(mebibyte);

/** A call that may take ten seconds, and a second for each step. */
const call = (body: { readonly form?: typeof form; readonly json?: string }, isRelaxed = false) => {
  const clock = virtualClock();
  const scope = new CallScope({ clock, timeoutMs: 10_000, patienceMs: 1_000 });
  return { clock, scope, transfer: transferOf(body, scope, isRelaxed) };
};

describe('transferOf', () => {
  it('says when the request may have left whole', () => {
    const { transfer } = call({ json });
    transfer.onProgress(100);
    expect(transfer.isSent()).toBe(false);
    transfer.onSent();
    expect(transfer.isSent()).toBe(true);
  });

  it('N2: lets a body take any time while it moves, and counts its silence', async () => {
    const { clock, scope, transfer } = call({ form });
    for (let piece = 0; piece < 40; piece += 1) {
      transfer.onProgress(64 * 1024);
      await clock.advance(900);
    }
    expect(scope.ending()).toBeUndefined();
    await clock.advance(200);
    expect(scope.ending()).toBe('timeout');
  });

  it('waits a step for the answer to JSON, and for that to an upload as long as for the whole', async () => {
    const short = call({ json });
    short.transfer.onSent();
    await short.clock.advance(999);
    expect(short.scope.ending()).toBeUndefined();
    await short.clock.advance(2);
    expect(short.scope.ending()).toBe('timeout');
    const long = call({ form });
    long.transfer.onSent();
    await long.clock.advance(9_999);
    expect(long.scope.ending()).toBeUndefined();
    await long.clock.advance(2);
    expect(long.scope.ending()).toBe('timeout');
  });

  it.each([
    ['of which a page sees nothing leave, all of it', 0, 512],
    ['that has left, what buffers may hold', 16 * mebibyte, 256],
  ])('N2: gives the answer to a body %s a second more for each 32 KiB', async (_, moved, seconds) => {
    const { clock, scope, transfer } = call({ form }, true);
    transfer.onProgress(moved);
    transfer.onSent();
    await clock.advance(10_000 + seconds * 1_000 - 1);
    expect(scope.ending()).toBeUndefined();
    await clock.advance(2);
    expect(scope.ending()).toBe('timeout');
  });
});
