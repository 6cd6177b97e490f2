import fc from 'fast-check';
import { anyCharacter } from '../../helpers/any-character.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { GatewayJob } from '../../../src/server/gateway/model/gateway-jobs.js';
import type { JobPhase, JobState } from '../../../src/core/state/job-state.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';

/** Where the caller of these tests reaches the gateway. */
export const base = 'http://gateway.example:8080';

/** A job of one caller, with these differences. */
export const aJob = (record: Partial<JobRecord> = {}, state: Partial<JobState> = {}): GatewayJob => ({
  record: {
    id: 'a-job',
    owner: 'someone',
    client: 'default',
    createdAt: 1,
    expiresAt: 86_400_001,
    workflow: { 9: { class_type: 'SaveImage', inputs: {} } },
    submissionId: '8c0f8a1e-6c53-4c3b-8d0a-0d9f4c0e8d11',
    ...record,
  },
  state: { ...initialJobState({ promptId: 'of-the-service' }), ...state },
});

const phases: readonly JobPhase[] = [
  ...(['submitting', 'pending', 'in_progress', 'completed'] as const),
  ...(['failed', 'cancelled', 'untraceable', 'unknown'] as const),
];

const text = fc.string({ maxLength: 12, unit: anyCharacter });

const time = fc.option(fc.double({ min: 0, max: 9e15, noNaN: true }), { nil: undefined });

const node = fc.record({
  nodeId: text,
  displayNodeId: text,
  phase: fc.constantFrom('running', 'finished', 'cached', 'failed', 'stopped'),
  value: fc.double({ min: 0, max: 1e6, noNaN: true }),
  max: fc.double({ min: 0, max: 1e6, noNaN: true }),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
});

const file = fc.record(
  {
    filename: fc.oneof(text, fc.constantFrom('a.png', 'b/c.webm', '..\\x.wav', 'noext')),
    subfolder: text,
    type: fc.constantFrom('output', 'temp', 'input'),
    format: fc.oneof(text, fc.constantFrom('video/h264-mp4', 'IMAGE/PNG')),
    asset: fc.anything(),
  },
  { requiredKeys: [] },
);

const outputs = fc
  .dictionary(
    text,
    fc.dictionary(
      fc.oneof(fc.constantFrom('images', 'gifs', 'latents', 'text'), text),
      fc.oneof(fc.uniqueArray(file, { maxLength: 3, selector: ({ filename }) => filename }), fc.anything()),
    ),
    { maxKeys: 3 },
  )
  .filter((nodes) =>
    // The reducer lists each file of a node once.
    Object.values(nodes).every(
      (lists) => Object.values(lists).filter((list) => Array.isArray(list)).length <= 1,
    ),
  );

/** A job with any state, also with those that no service sends. */
export const anyJob: fc.Arbitrary<GatewayJob> = fc
  .record({
    phase: fc.constantFrom(...phases),
    nodes: fc.dictionary(text, node, { maxKeys: 4 }),
    nodeCount: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    progress: fc.double({ min: 0, max: 1, noNaN: true }),
    outputs,
    startedAt: time,
    endedAt: time,
    cancelRequestedAt: time,
    failure: fc.option(
      fc.record({
        exceptionType: text,
        exceptionMessage: text,
        nodeId: fc.option(text, { nil: undefined }),
        nodeType: fc.option(text, { nil: undefined }),
        traceback: fc.array(text, { maxLength: 3 }),
        nodeErrors: fc.constant({}),
      }),
      { nil: undefined },
    ),
  })
  .map(({ startedAt, endedAt, cancelRequestedAt, ...state }) => ({
    ...aJob(
      cancelRequestedAt === undefined ? {} : { cancelRequestedAt },
      state as unknown as Partial<JobState>,
    ),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
  }));
