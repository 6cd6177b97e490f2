import fc from 'fast-check';
import type { EventFrame, Frame } from '../../src/core/protocol/frames/frame.js';
import type { JobInput } from '../../src/core/state/step-job-state.js';
import type { JobFailure } from '../../src/core/state/failure.js';
import type { NodeErrors } from '../../src/core/state/node-errors.js';
import type { Outputs } from '../../src/core/state/outputs.js';

/** Ids that clash with what every object inherits are among them. */
export const nodeIds = ['1', '2', '12:7', '5.0.0.1', '__proto__', 'constructor', 'toString'] as const;

export const promptIds = ['job-a', 'job-b', '__proto__'] as const;

export const nodeId = fc.constantFrom(...nodeIds);

const timestamp = fc.option(fc.nat(), { nil: undefined });

/** What a node may report as its steps, right or wrong. */
export const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 20 }).map((n): unknown => n) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1 }) },
  fc.constantFrom<unknown>(NaN, Infinity, -1, 1e308, '7', null, undefined),
);

const descriptor = fc.record(
  {
    filename: fc.constantFrom('a.png', 'b.mp4', 'c.flac'),
    subfolder: fc.constantFrom('', 'sub'),
    type: fc.constantFrom('output', 'temp'),
  },
  { requiredKeys: ['filename'] },
);

const element = fc.oneof(
  { weight: 3, arbitrary: descriptor },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

export const nodeOutputs = fc.dictionary(
  fc.constantFrom('images', 'gifs', 'text', '__proto__'),
  fc.oneof({ weight: 4, arbitrary: fc.array(element, { maxLength: 4 }) }, fc.string()),
  { maxKeys: 3 },
);

export const outputs: fc.Arbitrary<Outputs> = fc.dictionary(nodeId, nodeOutputs, {
  maxKeys: 4,
  noNullPrototype: false,
});

const failure: fc.Arbitrary<JobFailure> = fc.record({
  exceptionType: fc.constantFrom('ValidationError', 'OOMError', 'ValueError'),
  exceptionMessage: fc.string(),
  traceback: fc.array(fc.string(), { maxLength: 2 }),
  nodeErrors: fc.constant({}),
});

const nodeErrors: fc.Arbitrary<NodeErrors> = fc.dictionary(
  nodeId,
  fc.record({ classType: fc.string(), dependentOutputs: fc.constant([]), errors: fc.constant([]) }),
  { maxKeys: 2 },
);

const nodeProgress = fc.record(
  {
    value: amount,
    max: amount,
    state: fc.constantFrom('pending', 'running', 'finished', 'error', 'dreaming'),
    display_node_id: fc.option(nodeId),
  },
  { requiredKeys: [] },
);

type EventType = EventFrame['type'];

const noNode = fc.constantFrom(null, '', undefined);

const data: { readonly [Type in EventType]: (promptId: string) => fc.Arbitrary<object> } = {
  status: () => fc.record({ queue_remaining: fc.nat() }),
  notification: () => fc.record({ value: fc.string() }),
  feature_flags: () => fc.constant({ supports_preview_metadata: true }),
  execution_start: (prompt_id) => fc.record({ prompt_id: fc.constant(prompt_id), timestamp }),
  execution_cached: (prompt_id) =>
    fc.record({ prompt_id: fc.constant(prompt_id), nodes: fc.array(nodeId, { maxLength: 3 }), timestamp }),
  executing: (prompt_id) =>
    fc.record({
      prompt_id: fc.constant(prompt_id),
      node: fc.oneof(nodeId, noNode),
      display_node: fc.option(nodeId),
    }),
  progress: (prompt_id) =>
    fc.record({ prompt_id: fc.constant(prompt_id), node: fc.option(nodeId), value: amount, max: amount }),
  progress_state: (prompt_id) =>
    fc.record({
      prompt_id: fc.constant(prompt_id),
      nodes: fc.dictionary(nodeId, nodeProgress, { maxKeys: 4 }),
    }),
  executed: (prompt_id) =>
    fc.record({
      prompt_id: fc.constant(prompt_id),
      node: nodeId,
      display_node: fc.option(nodeId),
      output: fc.option(nodeOutputs),
    }),
  execution_success: (prompt_id) => fc.record({ prompt_id: fc.constant(prompt_id), timestamp }),
  execution_error: (prompt_id) =>
    fc.record({
      prompt_id: fc.constant(prompt_id),
      exception_type: fc.constantFrom('ValueError', 'ExecutionBlocked'),
      exception_message: fc.constantFrom('boom\n', 'no model', 'refused: {"node_errors": {"1": {}}}'),
      node_id: fc.option(nodeId),
      traceback: fc.option(fc.array(fc.string(), { maxLength: 2 })),
      timestamp,
    }),
  execution_interrupted: (prompt_id) =>
    fc.record({ prompt_id: fc.constant(prompt_id), node_id: fc.option(nodeId), timestamp }),
};

const ofNoJob: ReadonlySet<EventType> = new Set<EventType>(['status', 'notification', 'feature_flags']);

/** An event of one type, as the decoder gives it (with numbers and texts in places where the wire may have any). */
export const eventOf = (type: EventType, promptId: string | undefined): fc.Arbitrary<Frame> =>
  data[type](promptId ?? '').map(
    (payload) =>
      ({
        _tag: 'Event',
        type,
        ...(promptId !== undefined && !ofNoJob.has(type) && { promptId }),
        data: payload,
      }) as EventFrame,
  );

export const eventTypes = Object.keys(data) as readonly EventType[];

/** The events that end a job. */
export const endTypes: readonly EventType[] = [
  'execution_success',
  'execution_error',
  'execution_interrupted',
];

const text = (promptId: string | undefined): fc.Arbitrary<Frame> =>
  fc.record({ nodeId, text: fc.string() }).map((members) => ({ _tag: 'Text', promptId, ...members }));

const otherFrames = (promptId: string | undefined): fc.Arbitrary<Frame> =>
  fc.constantFrom<Frame>(
    { _tag: 'Preview', mediaType: 'image/png', image: new Uint8Array(), promptId, nodeId: '1' },
    { _tag: 'Unknown', kind: 'text', type: 'brand.new', promptId, message: {} },
    { _tag: 'Unknown', kind: 'binary', type: 9, bytes: new Uint8Array() },
    { _tag: 'Malformed', reason: 'not JSON', size: 1, sample: '?' },
  );

/** Frames of one job while it runs: everything but its end. */
export const runningFrame = (promptId: string): fc.Arbitrary<Frame> =>
  fc.oneof(
    ...eventTypes.filter((type) => !endTypes.includes(type)).map((type) => eventOf(type, promptId)),
    text(promptId),
    otherFrames(promptId),
  );

/** What REST may tell of one job. */
const restEvent = (promptId: string): fc.Arbitrary<JobInput> =>
  fc.oneof(
    nodeErrors.map((errors): JobInput => ({ _tag: 'Accepted', promptId, nodeErrors: errors })),
    fc
      .record({
        phase: fc.constantFrom(
          'pending' as const,
          'in_progress' as const,
          'completed' as const,
          'failed' as const,
          'cancelled' as const,
        ),
        failure: fc.option(failure, { nil: undefined }),
      })
      .map((members): JobInput => ({ _tag: 'StatusRead', promptId, ...members })),
    fc
      .record({
        outputs,
        phase: fc.constantFrom(undefined, 'completed' as const, 'failed' as const, 'cancelled' as const),
        failure: fc.option(failure, { nil: undefined }),
        isFinal: fc.boolean(),
        endedAt: timestamp,
      })
      .map((members): JobInput => ({ _tag: 'HistoryRead', promptId, ...members })),
    failure.map((members): JobInput => ({ _tag: 'Refused', failure: members })),
    fc.constant<JobInput>({ _tag: 'Untraceable', promptId }),
  );

const maybePromptId = fc.option(fc.constantFrom(...promptIds), { nil: undefined });

/** Anything that may come, of the job `job-a`, of others or of none; ends are rare enough for long lives. */
export const jobEvent: fc.Arbitrary<JobInput> = fc.oneof(
  { weight: 6, arbitrary: runningFrame('job-a') },
  {
    weight: 2,
    arbitrary: maybePromptId.chain((promptId) =>
      fc.oneof(...eventTypes.map((type) => eventOf(type, promptId)), text(promptId), otherFrames(promptId)),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...promptIds).chain(restEvent) },
);

/** What kind of event it is: an event's wire type, else its tag. */
export const kindOf = (event: JobInput): string => (event._tag === 'Event' ? event.type : event._tag);

/** Every kind that {@link kindOf} may name. */
export const eventKinds: readonly string[] = [
  ...eventTypes,
  'Text',
  'Preview',
  'Unknown',
  'Malformed',
  'Accepted',
  'StatusRead',
  'HistoryRead',
  'Refused',
  'Untraceable',
];
