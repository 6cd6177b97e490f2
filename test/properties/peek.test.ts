import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { peekText } from '../../src/core/protocol/attribution/peek-text.js';
import { mutateFrame, randomInts } from '../helpers/mutate-frame.js';
import { peekBinaryOwner, peekOwner } from '../../src/core/protocol/attribution/peek-owner.js';
import { wireFrame } from '../helpers/frame-arbitraries.js';
import { often, runs } from '../helpers/runs.js';

/** Good frames and spoilt ones alike. */
const anyWire = fc
  .tuple(wireFrame, fc.option(fc.integer(), { nil: undefined }))
  .map(([{ wire, promptText }, seed]) => ({
    wire: seed === undefined ? wire : mutateFrame(wire, randomInts(seed)),
    promptText,
  }));

describe('what is peeked agrees with what is decoded', () => {
  it('for the type and the job of a text', () => {
    const seen = { types: 0, ids: 0 };
    fc.assert(
      fc.property(anyWire, ({ wire }) => {
        fc.pre(typeof wire === 'string');
        const { type, promptIds } = peekText(wire);
        const frame = decodeFrame(wire);
        if (frame._tag === 'Malformed') return;
        if (type !== undefined) {
          seen.types += 1;
          expect('type' in frame && frame.type).toBe(type);
        }
        if (promptIds !== undefined && frame.promptId !== undefined) {
          seen.ids += 1;
          expect(promptIds).toContain(frame.promptId);
        }
      }),
      { numRuns: runs(5000) },
    );
    expect(seen.types).toBeGreaterThan(often(500));
    expect(seen.ids).toBeGreaterThan(often(250));
  });

  it('for the owner of a text that need not be decoded', () => {
    const seen = { jobs: 0, unnamed: 0 };
    fc.assert(
      fc.property(anyWire, ({ wire }) => {
        fc.pre(typeof wire === 'string');
        const owner = peekOwner(wire);
        if (owner === undefined) return;
        const { promptId } = owner;
        const { type, promptIds } = peekText(wire);
        const frame = decodeFrame(wire);
        if (frame._tag !== 'Malformed') expect(frame.promptId ?? promptId).toBe(promptId);
        if (promptId === undefined) seen.unnamed += 1;
        else {
          seen.jobs += 1;
          expect(['progress', 'progress_state']).toContain(type);
          expect(promptIds).toEqual([promptId]);
        }
      }),
      { numRuns: runs(5000) },
    );
    expect(seen.jobs).toBeGreaterThan(often(100));
    expect(seen.unnamed).toBeGreaterThan(often(100));
  });

  it('for the job of a binary frame', () => {
    let seen = 0;
    fc.assert(
      fc.property(anyWire, ({ wire, promptText }) => {
        fc.pre(typeof wire !== 'string');
        const promptId = peekBinaryOwner(wire, promptText);
        const frame = decodeFrame(wire, { promptText });
        if (frame._tag === 'Malformed' || promptId === undefined || frame.promptId === undefined) return;
        seen += 1;
        expect(frame.promptId).toBe(promptId);
      }),
      { numRuns: runs(5000) },
    );
    expect(seen).toBeGreaterThan(often(100));
  });
});
