import { expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';
import { readEvent } from '../../../src/server/queue/store/read-event.js';

const state = initialJobState({ workflow: {} });
const { nodeErrors } = state;
const status = { phase: 'pending', nodeErrors };

it.each([
  { type: 'submitted', at: 1, state },
  { type: 'status', at: 1, status: statusOf(state), progress: progressOf(state) },
  { type: 'output', at: 1, nodeId: '3', outputs: {}, added: [] },
  { type: 'cancelRequested', at: 1 },
])('reads an event of a log: %j', (event) => {
  expect(readEvent(JSON.stringify(event))).toMatchObject({ type: event.type, at: 1 });
});

it('tells an event of a later version from what is none', () => {
  expect(readEvent('{"type":"renamed","at":1}')).toBe('later');
});

it.each([
  ...['', '{', '7', 'null', '[]', '{"type":7}', '{"at":1}'],
  ...[
    { type: 'submitted', state: { ...state, nodes: 7 } },
    { type: 'submitted', state: { ...state, outputs: 7 } },
    { type: 'submitted', state: { ...state, phase: 7 } },
    { type: 'submitted' },
    { type: 'status', status: { ...status, phase: 7 } },
    { type: 'status', status: { ...status, nodeErrors: 7 } },
    { type: 'status', status: 7 },
    { type: 'output', nodeId: 3, outputs: {}, added: [] },
    { type: 'output', nodeId: '3', outputs: 7, added: [] },
    { type: 'output', nodeId: '3', outputs: {}, added: 7 },
  ].map((event) => JSON.stringify(event)),
])('reads no event of %s', (text) => {
  expect(readEvent(text)).toBeUndefined();
});
