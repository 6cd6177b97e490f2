import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepUntilTaken } from '../../src/job/keep-until-taken.js';
import type { Frame } from '../../src/protocol/frames/frame.js';
import { record, type Recording } from '../helpers/record.js';

const text = (name: string): Frame => ({ _tag: 'Text', nodeId: '1', text: name });
const picture = (nodeId: string, byte: number): Frame => ({
  _tag: 'Preview',
  mediaType: 'image/jpeg',
  image: new Uint8Array([byte]),
  nodeId,
});

describe('keepUntilTaken', () => {
  it('gives the first subscriber what came before, then what comes', () => {
    const kept = keepUntilTaken();
    kept.next(text('a'));
    const seen: Frame[] = [];
    kept.frames.subscribe((frame) => seen.push(frame));
    kept.next(text('b'));
    expect(seen).toEqual([text('a'), text('b')]);
  });

  it('gives later subscribers only what comes', () => {
    const kept = keepUntilTaken();
    kept.next(text('a'));
    kept.frames.subscribe();
    const seen: Frame[] = [];
    kept.frames.subscribe((frame) => seen.push(frame));
    kept.next(text('b'));
    expect(seen).toEqual([text('b')]);
  });

  it('gives the first subscriber each frame once, in the order in which they came, whatever its own doing brings', () => {
    const someFrames = fc.nat(4);
    fc.assert(
      fc.property(fc.nat(6), fc.array(someFrames), someFrames, (before, caused, after) => {
        const kept = keepUntilTaken();
        const sent: Frame[] = [];
        const send = (count: number): void => {
          for (let n = 0; n < count; n += 1) {
            const frame = text(String(sent.length));
            sent.push(frame);
            kept.next(frame);
          }
        };
        send(before);
        let told = 0;
        const { values } = record(kept.frames, () => send(caused[told++] ?? 0));
        send(after);
        expect(values).toEqual(sent);
      }),
    );
  });

  it('gives whoever comes while the first one is given what was kept only what comes', () => {
    const kept = keepUntilTaken();
    kept.next(text('a'));
    kept.next(text('b'));
    let later: Recording<Frame> | undefined;
    const first = record(kept.frames, () => {
      if (later !== undefined) return;
      later = record(kept.frames);
      kept.next(text('c'));
    });
    expect(first.values).toEqual([text('a'), text('b'), text('c')]);
    expect(later?.values).toEqual([text('c')]);
  });

  it('keeps of pictures the latest of each node, and 1,000 frames in all', () => {
    const kept = keepUntilTaken();
    for (let n = 0; n < 50; n += 1) kept.next(picture(n % 2 === 0 ? 'even' : 'odd', n));
    for (let n = 0; n < 1_100; n += 1) kept.next(text(String(n)));
    kept.next(picture('even', 100));
    const seen: Frame[] = [];
    kept.frames.subscribe((frame) => seen.push(frame));
    expect(seen).toHaveLength(1_000);
    expect(seen.filter(({ _tag }) => _tag === 'Preview')).toEqual([picture('even', 100)]);
    expect(seen.at(-2)).toEqual(text('1099'));
  });

  it.each(['complete', 'error'] as const)(
    'tells a late first subscriber what was kept and then the %s',
    (end) => {
      const kept = keepUntilTaken();
      kept.next(text('a'));
      kept[end](new Error('over'));
      const seen: string[] = [];
      kept.frames.subscribe({
        next: () => seen.push('next'),
        complete: () => seen.push('complete'),
        error: () => seen.push('error'),
      });
      expect(seen).toEqual(['next', end]);
    },
  );
});
