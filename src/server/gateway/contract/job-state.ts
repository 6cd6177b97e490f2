import { annotated } from './annotated.js';
import { count, epochMs, object, words } from './shapes.js';
import type { JobPhase } from '../../../core/state/job-state.js';
import * as t from 'io-ts';

/** The phases of a job, in its own interface and in filters of lists. */
export const jobPhase: t.Type<JobPhase> = words(
  ...(['submitting', 'pending', 'in_progress'] as const),
  ...(['completed', 'failed', 'cancelled', 'untraceable', 'unknown'] as const),
);

const share = annotated(t.number, { minimum: 0, maximum: 1 });

const nodeState = object(
  'NodeState',
  {
    nodeId: t.string,
    displayNodeId: t.string,
    phase: words('running', 'finished', 'cached', 'failed', 'stopped'),
    value: t.number,
    max: t.number,
    fraction: share,
  },
  { text: t.string, activity: t.string },
);

const nodeProblem = t.type(
  { type: t.string, message: t.string, details: t.string, extraInfo: t.UnknownRecord },
  'NodeProblem',
);

const nodeErrors = t.record(
  t.string,
  t.type(
    {
      classType: t.string,
      dependentOutputs: t.readonlyArray(t.string),
      errors: t.readonlyArray(nodeProblem),
    },
    'NodeErrors',
  ),
);

const failure = object(
  'JobFailure',
  {
    exceptionType: t.string,
    exceptionMessage: t.string,
    traceback: t.readonlyArray(t.string),
    nodeErrors,
  },
  {
    nodeId: t.string,
    nodeType: t.string,
    requestId: t.string,
    candidates: t.readonlyArray(t.string),
    startedAt: epochMs,
  },
);

/** Something that is wrong with a workflow, or that people regret. */
export const problem = object(
  'WorkflowProblem',
  { type: t.string, severity: words('error', 'warning'), message: t.string },
  {
    nodeId: t.string,
    input: t.string,
    fix: t.unknown,
    suggestion: t.unknown,
    pack: t.string,
    serverOnly: t.literal(true),
  },
);

const plan = object(
  'JobPlan',
  {
    nodes: t.readonlyArray(
      object(
        'PlannedNode',
        { nodeId: t.string, ms: t.number, spread: t.number, kind: t.number },
        {
          steps: t.number,
          passes: t.number,
          stepMs: t.number,
          unsized: t.literal(true),
          leadMs: t.number,
          texts: t.literal(true),
          loads: t.literal(true),
        },
      ),
    ),
  },
  { restMs: t.number, jobMs: t.number },
);

const unread = t.type(
  {
    nodeId: t.string,
    key: t.string,
    reason: words('no file name', 'no list element', 'outside the folders', 'no key'),
    sample: t.string,
  },
  'UnreadOutput',
);

const socketImage = object(
  'SocketImage',
  { nodeId: t.string, index: count, mediaType: t.string },
  { url: annotated(t.string, { description: 'Where the picture is; absent where it is not kept.' }) },
);

const queuePlace = object('QueuePlace', {}, { position: count, reason: t.string });

/** The outputs of one node as the service sends them: key to array. */
export const nodeOutputs = t.UnknownRecord;

const progressMembers = {
  required: { nodes: t.record(t.string, nodeState), progress: share },
  optional: { nodeCount: count, plan, exactNodes: t.literal(true) },
};

const statusMembers = {
  required: {
    promptId: t.string,
    phase: jobPhase,
    outputsComplete: t.boolean,
    nodeErrors,
    warnings: t.readonlyArray(t.string),
  },
  optional: {
    socketSavers: t.readonlyArray(t.string),
    socketImages: t.readonlyArray(socketImage),
    unread: t.readonlyArray(unread),
    failure,
    problems: t.readonlyArray(problem),
    queue: queuePlace,
    queuedAt: epochMs,
    startedAt: epochMs,
    endedAt: epochMs,
  },
};

/**
 * A state of a job as gateways write it: without the bytes of its pictures, and `promptId` is the job's id on the gateway.
 *
 * `test/remote/contract-types.ts` holds that it has the members of `JobState`, no more and no less.
 */
export const jobState = object(
  'JobState',
  {
    ...statusMembers.required,
    ...progressMembers.required,
    outputs: t.record(t.string, nodeOutputs),
  },
  { ...statusMembers.optional, ...progressMembers.optional },
);

/** The members of a state that tell where the job stands. */
export const jobStatus = object('JobStatus', statusMembers.required, statusMembers.optional);

/** The members of a state that tell how far the job is. */
export const jobProgress = object('JobProgress', progressMembers.required, progressMembers.optional);
