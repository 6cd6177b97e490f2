import { describe, expect, it } from 'vitest';
import { LateSignal } from '../../src/interop/late-signal.js';

describe('a late signal', () => {
  it('is one signal, which fires once it is aborted', () => {
    const late = new LateSignal();
    const { signal } = late;
    let fired = 0;
    signal.addEventListener('abort', () => (fired += 1));
    expect(signal.aborted).toBe(false);
    late.abort();
    late.abort();
    expect([late.signal === signal, signal.aborted, fired]).toEqual([true, true, 1]);
  });

  it('has fired where it is first looked at afterwards', () => {
    const late = new LateSignal();
    late.abort();
    expect(late.signal.aborted).toBe(true);
  });
});
