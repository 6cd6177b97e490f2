import { describe, expect, it } from 'vitest';
import type { Frame, Preview } from '../../src/core/protocol/frames/frame.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import { joinStates } from '../../src/core/state/join-states.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { messages } from '../helpers/job-harness.js';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';

const workflow = {
  '1': { class_type: 'EmptyImage', inputs: {} },
  '2': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } },
  '3': { class_type: 'KSampler', inputs: { model: ['1', 0] } },
  '4': { class_type: 'SaveImage', inputs: { images: ['3', 0] } },
};
const initial = initialJobState({ promptId: 'p', workflow });
const p = messages('p');
const frameOf = (message: object): Frame => decodeFrame(JSON.stringify(message));
const picture = (nodeId: string | undefined, byte = 1): Preview => ({
  _tag: 'Preview',
  mediaType: 'image/png',
  image: Uint8Array.of(byte),
  promptId: 'p',
  ...(nodeId !== undefined && { nodeId }),
});
const after = (...inputs: readonly JobInput[]): JobState => inputs.reduce(stepJobState, initial);
const placesOf = ({ socketImages = [] }: JobState) =>
  socketImages.map(({ nodeId, index, bytes }) => [nodeId, index, bytes?.[0]]);

describe('pictures of SaveImageWebsocket in the state of a job', () => {
  it('are results in their order; those of other nodes are previews', () => {
    const state = after(picture('2', 7), picture('3', 8), picture('2', 9));
    expect(state.socketSavers).toEqual(['2']);
    expect(placesOf(state)).toEqual([
      ['2', 0, 7],
      ['2', 1, 9],
    ]);
    expect(after(picture('3'))).toBe(initial);
  });

  it('are of the running node where the message names none, and of none while several run', () => {
    const plain = { ...picture(undefined), promptId: undefined as never };
    expect(placesOf(after(frameOf(p.executing('2')), plain))).toEqual([['2', 0, 1]]);
    expect(placesOf(after(frameOf(p.executing('3')), plain))).toEqual([]);
    expect(placesOf(after(plain))).toEqual([]);
  });

  it('have the place that the steps of the node tell, also after a lost one', () => {
    const state = after(
      frameOf(p.progress('2', 0, 3)),
      picture('2', 5),
      frameOf(p.progress('2', 2, 3)),
      picture('2', 6),
    );
    expect(placesOf(state)).toEqual([
      ['2', 0, 5],
      ['2', 2, 6],
    ]);
  });

  it('are none where no node of the workflow that runs sends any', () => {
    const { socketSavers } = initialJobState({ promptId: 'p', workflow, targets: ['4'] });
    expect(socketSavers).toBeUndefined();
    expect(initialJobState({ promptId: 'p' }).socketSavers).toBeUndefined();
  });

  it('without bytes leave the outputs incomplete, with a warning', () => {
    const end: JobInput = {
      _tag: 'HistoryRead',
      promptId: 'p',
      outputs: {},
      phase: 'completed',
      isFinal: true,
    };
    expect(after(picture('2'), end).outputsComplete).toBe(true);
    const state = after({ ...picture('2'), image: new Uint8Array() }, end);
    expect(state).toMatchObject({ outputsComplete: false, socketImages: [{ nodeId: '2', index: 0 }] });
    expect(state.warnings).toEqual([expect.stringContaining('has no room in keptFrames')]);
  });

  it('of two states of a job are united', () => {
    const known = after(frameOf(p.progress('2', 0, 2)), picture('2', 1));
    const next = after(frameOf(p.progress('2', 1, 2)), picture('2', 2));
    expect(placesOf(joinStates(known, next))).toEqual([
      ['2', 0, 1],
      ['2', 1, 2],
    ]);
    expect(placesOf(joinStates(known, initial))).toEqual([['2', 0, 1]]);
  });
});
