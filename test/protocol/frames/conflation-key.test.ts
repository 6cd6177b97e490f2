import { describe, expect, it } from 'vitest';
import { conflationKey } from '../../../src/core/protocol/frames/conflation-key.js';
import type { EventFrame } from '../../../src/core/protocol/frames/frame.js';
import {
  executed,
  executing,
  failure,
  interrupted,
  malformed,
  nodeText,
  preview,
  queueStatus,
  start,
  step,
  success,
  unknownBinary,
  unknownText,
} from '../../helpers/frames.js';

const snapshot = (promptId: string): EventFrame => ({
  _tag: 'Event',
  type: 'progress_state',
  promptId,
  data: { prompt_id: promptId, nodes: {} },
});

describe('conflationKey', () => {
  it.each([
    start('a'),
    executing('a', '5'),
    executed('a', '9', {}),
    success('a'),
    failure('a'),
    interrupted('a'),
    queueStatus(1),
    unknownText('new'),
    unknownBinary(9),
    malformed,
  ])('gives none to $_tag $type, which must not be lost', (frame) => {
    expect(conflationKey(frame)).toBeUndefined();
  });

  it.each([
    ['previews of a node', preview('a', '5', [1]), preview('a', '5', [2])],
    ['previews that name nothing', preview(undefined, undefined, [1]), preview(undefined, undefined, [2])],
    ['texts of a node', nodeText('5', 'x', 'a'), nodeText('5', 'y', 'a')],
    ['steps of a node', step('a', '5', 1, 20), step('a', '5', 2, 20)],
    ['snapshots of a job', snapshot('a'), snapshot('a')],
    ['states of a job', { promptId: 'a', phase: 'pending' }, { promptId: 'a', phase: 'completed' }],
    ['states of an index', { index: 3, state: 1 }, { index: 3, state: 2 }],
    ['numbers', 1, 2],
    ['other objects', { a: 1 }, { b: 2 }],
  ])('gives one to %s', (_, older, newer) => {
    expect(conflationKey(older)).toBeTypeOf('string');
    expect(conflationKey(newer)).toBe(conflationKey(older));
  });

  it('differs between kinds, jobs and nodes', () => {
    const keys = [
      preview('a', '5'),
      preview('a', '6'),
      preview('b', '5'),
      preview(),
      nodeText('5', 'x', 'a'),
      nodeText('5', 'x'),
      step('a', '5', 1, 20),
      step('a', '6', 1, 20),
      step('b', '5', 1, 20),
      snapshot('a'),
      snapshot('b'),
      { promptId: 'a', phase: 'pending' },
      { promptId: 'b', phase: 'pending' },
      { index: 0, state: 1 },
      { index: 1, state: 1 },
      null,
    ].map(conflationKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
