import type {
  EventFrame,
  Malformed,
  Preview,
  TextFrame,
  Unknown,
} from '../../src/core/protocol/frames/frame.js';

export const start = (promptId: string): EventFrame => ({
  _tag: 'Event',
  type: 'execution_start',
  promptId,
  data: { prompt_id: promptId, timestamp: 1 },
});

export const executing = (promptId: string, node: string | null): EventFrame => ({
  _tag: 'Event',
  type: 'executing',
  promptId,
  data: { prompt_id: promptId, node },
});

export const step = (promptId: string, node: string, value: number, max: number): EventFrame => ({
  _tag: 'Event',
  type: 'progress',
  promptId,
  data: { prompt_id: promptId, node, value, max },
});

export const executed = (
  promptId: string,
  node: string,
  output: Readonly<Record<string, unknown>> | null,
): EventFrame => ({ _tag: 'Event', type: 'executed', promptId, data: { prompt_id: promptId, node, output } });

export const success = (promptId: string): EventFrame => ({
  _tag: 'Event',
  type: 'execution_success',
  promptId,
  data: { prompt_id: promptId, timestamp: 2 },
});

export const failure = (promptId: string, exceptionType = 'ValueError'): EventFrame => ({
  _tag: 'Event',
  type: 'execution_error',
  promptId,
  data: {
    prompt_id: promptId,
    node_id: '5',
    node_type: 'KSampler',
    executed: [],
    exception_type: exceptionType,
    exception_message: 'it broke\n',
    traceback: [],
  },
});

export const interrupted = (promptId: string): EventFrame => ({
  _tag: 'Event',
  type: 'execution_interrupted',
  promptId,
  data: { prompt_id: promptId, node_id: '5', node_type: 'KSampler', executed: [] },
});

export const queueStatus = (remaining: number): EventFrame => ({
  _tag: 'Event',
  type: 'status',
  data: { status: { exec_info: { queue_remaining: remaining } } },
});

/** Binary type 4 with a prompt id, type 1 without. */
export const preview = (
  promptId?: string,
  nodeId?: string,
  bytes: readonly number[] = [0xff, 0xd8],
): Preview => ({
  _tag: 'Preview',
  mediaType: 'image/jpeg',
  image: Uint8Array.from(bytes),
  ...(promptId === undefined ? {} : { promptId }),
  ...(nodeId === undefined ? {} : { nodeId }),
});

/** Binary type 3 in either layout. */
export const nodeText = (nodeId: string, text: string, promptId?: string): TextFrame => ({
  _tag: 'Text',
  nodeId,
  text,
  ...(promptId === undefined ? {} : { promptId }),
});

export const unknownText = (type: string, promptId?: string): Unknown => ({
  _tag: 'Unknown',
  kind: 'text',
  type,
  ...(promptId === undefined ? {} : { promptId }),
  message: { type },
});

export const unknownBinary = (type: number): Unknown => ({
  _tag: 'Unknown',
  kind: 'binary',
  type,
  bytes: Uint8Array.of(0, 0, 0, type),
});

export const malformed: Malformed = { _tag: 'Malformed', reason: 'too short', size: 2, sample: '00 00' };
