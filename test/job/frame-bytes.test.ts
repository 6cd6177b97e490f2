import { describe, expect, it } from 'vitest';
import { frameBytes } from '../../src/job/frame-bytes.js';
import type { Frame } from '../../src/protocol/frames/frame.js';

const progressState = (nodes: number): Frame => ({
  _tag: 'Event',
  type: 'progress_state',
  promptId: 'p',
  data: {
    prompt_id: 'p',
    nodes: Object.fromEntries(
      Array.from({ length: nodes }, (_, at) => [
        String(at),
        { node_id: String(at), value: at, max: 0.5, state: 'running', prompt_id: 'p' },
      ]),
    ),
  },
});

describe('frameBytes', () => {
  it('counts a picture and its metadata', () => {
    const picture = (size: number, metadata: object): Frame => ({
      _tag: 'Preview',
      mediaType: 'image/png',
      image: new Uint8Array(size),
      metadata: { ...metadata },
    });
    expect(frameBytes(picture(1_000, {})) - frameBytes(picture(0, {}))).toBe(1_000);
    expect(frameBytes(picture(0, { text: 'x'.repeat(500) }))).toBeGreaterThan(1_000);
  });

  it('counts two bytes for each unit of a text, wherever it stands', () => {
    const text = (length: number): Frame => ({ _tag: 'Text', nodeId: '1', text: 'x'.repeat(length) });
    expect(frameBytes(text(1_000)) - frameBytes(text(0))).toBe(2_000);
  });

  it('counts the bytes of a binary frame that nobody knows', () => {
    const unknown: Frame = { _tag: 'Unknown', kind: 'binary', type: 9, bytes: new Uint8Array(2_000) };
    expect(frameBytes(unknown)).toBeGreaterThan(2_000);
  });

  it('counts each node of a snapshot alike', () => {
    const [none, few, many] = [0, 10, 1_000].map((nodes) => frameBytes(progressState(nodes))) as [
      number,
      number,
      number,
    ];
    const each = (few - none) / 10;
    expect(each).toBeGreaterThan(100);
    // Ids of more digits are longer texts.
    expect((many - none) / 1_000 / each).toBeCloseTo(1, 1);
  });

  it.each([null, undefined, true])('takes %s for nothing', (value) => {
    const frame = (data: object): Frame => ({
      _tag: 'Unknown',
      kind: 'text',
      type: 'x',
      message: { ...data },
    });
    expect(frameBytes(frame({ value })) - frameBytes(frame({}))).toBe(8);
  });
});
