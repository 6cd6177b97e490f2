import { countingSignal } from '../helpers/counting-signal.js';
import { describe, expect, it } from 'vitest';
import { onAbort } from '../../src/core/interop/on-abort.js';

describe('onAbort', () => {
  it('I-7: listens once for however many, and not at all once the last has gone', () => {
    const { signal, listeners } = countingSignal();
    const ends = Array.from({ length: 50 }, () => onAbort(signal, () => undefined));
    expect(listeners()).toBe(1);
    for (const end of ends.slice(1)) end();
    expect(listeners()).toBe(1);
    ends[0]!();
    expect(listeners()).toBe(0);
  });

  it('calls each of them once, in order, and none that was taken back', () => {
    const { signal, abort, listeners } = countingSignal();
    const calls: string[] = [];
    const same = (): number => calls.push('same');
    onAbort(signal, () => calls.push('first'));
    onAbort(signal, () => calls.push('left'))();
    onAbort(signal, same);
    onAbort(signal, same);
    abort();
    abort();
    expect(calls).toEqual(['first', 'same', 'same']);
    expect(listeners()).toBe(0);
  });

  it('does not call what an earlier call took back', () => {
    const { signal, abort } = countingSignal();
    const calls: string[] = [];
    onAbort(signal, () => end());
    const end = onAbort(signal, () => calls.push('taken back'));
    abort();
    expect(calls).toEqual([]);
  });

  it('takes one back only once, and anew after all had gone', () => {
    const { signal, abort } = countingSignal();
    const calls: string[] = [];
    const end = onAbort(signal, () => calls.push('old'));
    end();
    onAbort(signal, () => calls.push('new'));
    end();
    abort();
    expect(calls).toEqual(['new']);
  });

  it('does nothing without a signal', () => {
    expect(() => onAbort(undefined, () => undefined)()).not.toThrow();
  });
});
