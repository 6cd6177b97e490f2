import { describe, expect, it } from 'vitest';
import { endsOthers, mayEndOthers } from '../../../src/core/protocol/attribution/ends-others.js';
import type { Frame } from '../../../src/core/protocol/frames/frame.js';

const event = (type: string, data: unknown, promptId?: string): Frame =>
  ({ _tag: 'Event', type, data, ...(promptId !== undefined && { promptId }) }) as Frame;
const nested = (left: unknown) => ({ status: { exec_info: { queue_remaining: left } } });

describe('endsOthers', () => {
  it.each<[string, Frame, boolean]>([
    ['the start of a job', event('execution_start', {}, 'p'), true],
    ['a start that names no job', event('execution_start', {}), false],
    ['another event of a job', event('executing', { node: '3' }, 'p'), false],
    ['an empty queue, nested', event('status', nested(0)), true],
    ['an empty queue, flat', event('status', { queue_remaining: 0 }), true],
    ['an empty queue, half nested', event('status', { status: { queue_remaining: 0 } }), true],
    ['a queue with a job', event('status', nested(1)), false],
    ['a queue of no number', event('status', nested('0')), false],
    ['a status that says nothing of the queue', event('status', { status: null }), false],
    ['a status without data', event('status', null), false],
    ['another event that counts to 0', event('progress', nested(0), 'p'), false],
    [
      'an event that is not known',
      { _tag: 'Unknown', kind: 'text', type: 'status', message: {}, ...{ data: nested(0) } },
      false,
    ],
  ])('of %s', (_, frame, expected) => {
    expect(endsOthers(frame)).toBe(expected);
  });
});

describe('mayEndOthers', () => {
  it.each([
    ['a status', '{"type":"status","data":{}}', true],
    ['another event', '{"type":"progress","data":{}}', false],
    ['a picture', new ArrayBuffer(8), false],
  ])('of %s', (_, data, expected) => {
    expect(mayEndOthers(data)).toBe(expected);
  });
});
