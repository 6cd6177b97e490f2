import fc from 'fast-check';
import { from } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { forPrompt } from '../../src/core/operators/for-prompt.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { arbitraryFrame } from '../helpers/arbitrary-frame.js';
import { record } from '../helpers/record.js';
import { often, runs } from '../helpers/runs.js';

const streams = fc.array(arbitraryFrame, { maxLength: 40 });

const passed = (frames: readonly Frame[], promptId: string): readonly Frame[] =>
  record(from(frames).pipe(forPrompt(promptId))).values;

const ends = new Set<string>(['execution_success', 'execution_interrupted']);

/** The jobs that run after these frames, by the definition: those that began, less those that ended. */
const runningAfter = (frames: readonly Frame[]): ReadonlySet<string> => {
  const began = new Set<string>();
  const ended = new Set<string>();
  for (const frame of frames) {
    if (frame.promptId === undefined) continue;
    const isEnd =
      frame._tag === 'Event' &&
      (frame.type === 'execution_error'
        ? frame.data.exception_type !== 'ExecutionBlocked'
        : ends.has(frame.type));
    const isMark = frame._tag === 'Event' && frame.type === 'executing' && frame.data.node === null;
    if (isEnd) ended.add(frame.promptId);
    else if (!isMark) began.add(frame.promptId);
  }
  return new Set([...began].filter((id) => !ended.has(id)));
};

describe('forPrompt', () => {
  it('passes every frame that names the job, in order, and none that names another', () => {
    fc.assert(
      fc.property(streams, (frames) => {
        const named = passed(frames, 'a').filter((frame) => frame.promptId !== undefined);
        expect(named).toEqual(frames.filter((frame) => frame.promptId === 'a'));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('never guesses: a frame that names no job passes exactly where this job alone runs', () => {
    const seen = { passed: 0, kept: 0 };
    fc.assert(
      fc.property(streams, (frames) => {
        const result = new Set(passed(frames, 'a'));
        frames.forEach((frame, i) => {
          if (frame.promptId !== undefined) return;
          const running = runningAfter(frames.slice(0, i));
          const mayPass = frame._tag === 'Preview' || frame._tag === 'Text';
          const expected = mayPass && running.size === 1 && running.has('a');
          expect(result.has(frame)).toBe(expected);
          if (mayPass) seen[expected ? 'passed' : 'kept'] += 1;
        });
      }),
      { numRuns: runs(1000) },
    );
    expect(seen.passed).toBeGreaterThan(often(20));
    expect(seen.kept).toBeGreaterThan(often(20));
  });

  it('gives no frame to two jobs', () => {
    fc.assert(
      fc.property(streams, (frames) => {
        const all = ['a', 'b', 'c'].flatMap((id) => passed(frames, id));
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns: runs(1000) },
    );
  });
});
