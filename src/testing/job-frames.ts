import type { EventData, EventType } from '../core/protocol/event-data.js';
import type { EventFrame, Preview, TextFrame } from '../core/protocol/frames/frame.js';

/** Why a job of a test fails; every member has a default. */
export interface FailureFields {
  /** Default `ServiceError`; `docs/protocol.md` has the known words, such as `OOMError`. */
  readonly exceptionType?: string | undefined;
  /** Default `it broke`. */
  readonly exceptionMessage?: string | undefined;
  /** The node that failed; default none. */
  readonly nodeId?: string | undefined;
  /** The class of that node; default none. */
  readonly nodeType?: string | undefined;
}

/** The frames of one job, made by {@link jobFrames}. */
export interface JobFrames {
  /** The job's id, which every frame names. */
  readonly promptId: string;
  /** `execution_start`: the job runs. */
  readonly start: EventFrame;
  /** `execution_cached`: nodes whose results come from an earlier run. */
  readonly cached: (nodeIds: readonly string[]) => EventFrame;
  /** `executing`: this node runs now; null after the end of the job. */
  readonly executing: (nodeId: string | null) => EventFrame;
  /** `progress` of a node. */
  readonly progress: (nodeId: string, value: number, max: number) => EventFrame;
  /** `progress_state`: a picture of all nodes that have started. */
  readonly progressState: (nodes: EventData['progress_state']['nodes']) => EventFrame;
  /** `executed`: what a node puts out; `imageFile` makes such a file. */
  readonly executed: (nodeId: string, output: Readonly<Record<string, unknown>> | null) => EventFrame;
  /** A preview picture of a node (binary type 4); without an image a JPEG of one pixel's header. */
  readonly preview: (nodeId: string, image?: Uint8Array, mediaType?: string) => Preview;
  /** A progress text of a node (binary type 3). */
  readonly text: (nodeId: string, text: string) => TextFrame;
  /** `execution_success`: the job completed. */
  readonly success: EventFrame;
  /** `execution_error`: the job failed. */
  readonly error: (failure?: FailureFields) => EventFrame;
  /** `execution_interrupted`: the job was cancelled. */
  readonly interrupted: EventFrame;
}

/**
 * Makes the frames of one job, as the service words them: values for marble diagrams, and for the steps of a script.
 *
 * @example
 * ```ts
 * import { jobStates } from 'promptwire';
 * import { jobFrames } from 'promptwire/testing';
 * import { from } from 'rxjs';
 *
 * const { start, progress, success } = jobFrames('p1');
 * from([start, progress('3', 10, 20), success])
 *   .pipe(jobStates())
 *   .subscribe(({ phase }) => console.log(phase)); // in_progress, in_progress, completed
 * ```
 */
export const jobFrames = (promptId: string): JobFrames => {
  const event = (type: EventType, data: object = {}): EventFrame =>
    ({ _tag: 'Event', type, promptId, data: { ...data, prompt_id: promptId } }) as unknown as EventFrame;
  const named = (nodeId: string) => ({ promptId, nodeId, displayNodeId: nodeId });
  return {
    promptId,
    start: event('execution_start', { timestamp }),
    cached: (nodes) => event('execution_cached', { nodes, timestamp }),
    executing: (node) => event('executing', node === null ? { node } : { node, display_node: node }),
    progress: (node, value, max) => event('progress', { node, value, max }),
    progressState: (nodes) => event('progress_state', { nodes }),
    executed: (node, output) => event('executed', { node, display_node: node, output }),
    preview: (nodeId, image = jpegStart, mediaType = 'image/jpeg') => ({
      _tag: 'Preview',
      mediaType,
      image,
      ...named(nodeId),
      metadata: { prompt_id: promptId, node_id: nodeId, display_node_id: nodeId, image_type: mediaType },
    }),
    text: (nodeId, text) => ({ _tag: 'Text', nodeId, text, promptId }),
    success: event('execution_success', { timestamp }),
    error: (failure) => event('execution_error', failureData(failure)),
    interrupted: event('execution_interrupted', { node_id: '', node_type: '', executed: [], timestamp }),
  };
};

/** What `executed` and a record hold of one picture file. */
export const imageFile = (
  filename: string,
  type: 'output' | 'temp' = 'output',
): { readonly images: readonly Readonly<Record<string, string>>[] } => ({
  images: [{ filename, subfolder: '', type }],
});

/** The time that the service writes into its events. */
const timestamp = 1_767_225_600_000;

const jpegStart = /* @__PURE__ */ Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);

const failureData = ({
  exceptionType = 'ServiceError',
  exceptionMessage = 'it broke',
  nodeId = '',
  nodeType = '',
}: FailureFields = {}): object => ({
  node_id: nodeId,
  node_type: nodeType,
  executed: [],
  exception_type: exceptionType,
  exception_message: exceptionMessage,
  traceback: [],
  current_inputs: {},
  current_outputs: {},
  timestamp,
});
