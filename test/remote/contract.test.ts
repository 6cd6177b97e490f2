import { describe, expect, it, onTestFinished } from 'vitest';
import { aJob, base } from '../gateway/v2/a-job.js';
import { aRemote } from './a-remote.js';
import { applyJobEvent } from '../../src/core/events/apply-job-event.js';
import { bearerTokens, createGateway } from '../../src/gateway.js';
import { changesBetween } from '../../src/core/events/changes-between.js';
import { type CheckAnswer, describedBy } from '../gateway/openapi/described.js';
import { createClient } from '../../src/node.js';
import type { GatewayJob } from '../../src/server/gateway/model/gateway-jobs.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobPhase, JobState } from '../../src/core/state/job-state.js';
import { jobEventData } from '../../src/server/gateway/streams/stream-serializer.js';
import type { JobLogEvent } from '../../src/core/events/job-log-event.js';
import { nativeJob } from '../../src/server/gateway/native/native-job.js';
import { readStreamEvent } from '../../src/page/remote/stream-event.js';
import type { RemoteJob } from '../../src/core/events/remote-job.js';
import { parseExactJson, writeExactJson } from '../../src/core/protocol/json/exact-json.js';

const phases = Object.keys({
  ...{ submitting: true, pending: true, in_progress: true, completed: true },
  ...{ failed: true, cancelled: true, untraceable: true, unknown: true },
} satisfies Record<JobPhase, true>) as readonly JobPhase[];

/** A state with every member that a state can have. */
const wholeState = (phase: JobPhase): Required<JobState> => ({
  promptId: 'a-job',
  phase,
  nodes: {
    1: {
      ...{ nodeId: '1', displayNodeId: '1', phase: 'stopped', value: 1, max: 4, fraction: 0.25 },
      ...{ text: 'one of four', activity: 'loading' },
    },
  },
  nodeCount: 2,
  plan: {
    nodes: [
      {
        ...{ nodeId: '1', ms: 900, spread: 0.15, kind: 0, steps: 4, passes: 2, stepMs: 30, leadMs: 9 },
        ...{ unsized: true, texts: true, loads: true },
      },
    ],
    ...{ restMs: 5, jobMs: 1_000 },
  },
  exactNodes: true,
  progress: 0.5,
  outputs: { 2: { images: [{ filename: 'a.png', subfolder: 's', type: 'output' }], seed: [2n ** 60n] } },
  socketSavers: ['2'],
  socketImages: [{ nodeId: '2', index: 0, mediaType: 'image/png', url: `${base}/jobs/a-job/outputs/x` }],
  outputsComplete: true,
  unread: [{ nodeId: '2', key: 'odd', reason: 'no file name', sample: '{}' }],
  failure: {
    ...{ exceptionType: 'OOMError', exceptionMessage: 'no memory', nodeId: '1', nodeType: 'Sampler' },
    ...{ traceback: ['a line'], nodeErrors: {}, requestId: 'r', candidates: ['c'], startedAt: 3 },
  },
  nodeErrors: {
    3: {
      ...{ classType: 'Save', dependentOutputs: ['3'] },
      errors: [{ type: 'a', message: 'b', details: 'c', extraInfo: { input_name: 'd' } }],
    },
  },
  problems: [
    {
      ...{ nodeId: '1', input: 'steps', type: 'value_not_in_list', severity: 'warning', message: 'odd' },
      ...{ fix: 1, suggestion: 2, pack: 'p', serverOnly: true },
    },
  ],
  warnings: ['blocked'],
  queue: { position: 1, reason: 'capacity' },
  ...{ queuedAt: 1, startedAt: 2, endedAt: 3 },
});

type WholeJob = Required<RemoteJob> & { readonly state: Required<JobState> };

/** A job with every member that a job can have, as a remote gives it. */
const wholeJob = (phase: JobPhase): WholeJob => ({
  ...{ id: 'a-job', state: wholeState(phase), createdAt: 1, expiresAt: 2, startedAt: 3, endedAt: 4 },
  ...{ cancelRequestedAt: 5, metadata: { a: 'b' }, template: 't' },
});

/** The same job as the gateway has it: by the service's id, and pictures below its own address. */
const ofGateway = ({ state, id, startedAt, endedAt, ...record }: WholeJob): GatewayJob => ({
  ...aJob({ id, ...record }, ofService(state)),
  ...{ startedAt, endedAt },
});

const ofService = (state: Required<JobState>): JobState => ({
  ...state,
  promptId: 'of-the-service',
  socketImages: state.socketImages.map(({ url = '', ...image }) => ({
    ...image,
    url: url.slice(base.length),
  })),
});

/** Says what the gateway's description of itself lacks of an answer. */
const description = async (): Promise<CheckAnswer> => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });
  const gateway = createGateway({ client, authorize: bearerTokens({ ann: 'token' }) });
  onTestFinished(async () => {
    await gateway.close();
    await client.close();
  });
  return describedBy((await (await gateway.fetch(new Request(`${base}/openapi.json`))).json()) as object);
};

describe('what a gateway writes', () => {
  it('of a job is what it describes, and reaches a remote with every member, in every phase', async () => {
    const check = await description();
    for (const phase of phases) {
      const whole = wholeJob(phase);
      const text = writeExactJson(nativeJob(ofGateway(whole), base));
      const json = { status: 200, contentType: 'application/json', text };
      expect(check('GET', '/jobs/a-job', json)).toBeUndefined();
      const { remote } = await aRemote({ before: () => new Response(`{"jobs":[${text}]}`) });
      expect(await remote.list()).toEqual({ jobs: [whole] });
    }
  });

  it('of its changes is what it describes, and leads a remote to the same state, in every phase', async () => {
    const check = await description();
    const before = { ...initialJobState({ promptId: 'of-the-service' }), phase: 'submitting' as const };
    for (const phase of phases) {
      const whole = wholeState(phase);
      const told: readonly JobLogEvent[] = [
        { type: 'submitted', at: 1, state: before },
        { type: 'cancelRequested', at: 2 },
        ...changesBetween(before, ofService(whole), 3),
      ];
      const lines = told.map((event) =>
        writeExactJson({ id: '1', event: event.type, data: jobEventData('a-job', event, base) }),
      );
      const ndjson = { status: 200, contentType: 'application/x-ndjson', text: lines.join('\n') };
      expect(check('GET', '/jobs/a-job/events', ndjson)).toBeUndefined();
      let state: JobState | undefined;
      for (const line of lines) {
        const read = readStreamEvent(parseExactJson(line));
        if (read?.type === 'job') state = applyJobEvent(state ?? before, read.event);
      }
      expect(state).toEqual(whole);
    }
  });
});
