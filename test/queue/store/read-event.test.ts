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

const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;
const node = { nodeId: '1', displayNodeId: '1', phase: 'running', value: 1, max: 2, fraction: 0.5 };
const failure = { exceptionType: 'E', exceptionMessage: 'm', traceback: ['a'], nodeErrors: {} };

it('reads an event with all that servers look at', () => {
  const whole = {
    ...{ ...state, nodes: { 1: node }, outputs: { 1: { images: [{ filename: 'a' }] } }, failure },
    ...{ startedAt: 1, endedAt: 2, nodeCount: 3, socketImages: [{ nodeId: '1', mediaType: 'image/png' }] },
  };
  expect(readEvent(JSON.stringify({ type: 'submitted', at: 1, state: whole }))).toMatchObject({
    state: whole,
  });
});

it.each([
  { nodes: { 1: null } },
  { nodes: { 1: { ...node, value: 'x' } } },
  { outputs: { 1: null } },
  { outputs: { 1: { text: deep } } },
  { phase: 'renamed' },
  { nodeErrors: { 1: 7 } },
  { promptId: 7 },
  { progress: '1' },
  { nodeCount: [] },
  { startedAt: 'then' },
  { endedAt: null },
  { failure: 7 },
  { failure: { ...failure, traceback: 'a' } },
  { failure: { ...failure, candidates: 7 } },
  { socketImages: [null] },
  { socketImages: [{ nodeId: '1' }] },
])('T9 reads no event whose state nothing could show (%#)', (more) => {
  const event = { type: 'submitted', at: 1, state: { ...state, ...more } };
  expect(readEvent(JSON.stringify(event))).toBeUndefined();
});

it.each([
  '{"type":"submitted","at":12345678901234567890,"state":{}}',
  '{"type":"cancelRequested"}',
  '{"type":"cancelRequested","at":"1"}',
  '{"type":"cancelRequested","at":1e999}',
])('T9 reads no event of no moment: %s', (text) => {
  expect(readEvent(text)).toBeUndefined();
});

it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])(
  'takes %s for a type that it does not know',
  (type) => {
    expect(readEvent(JSON.stringify({ type, at: 1 }))).toBe('later');
  },
);

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
