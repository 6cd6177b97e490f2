import { endPhaseOf, failureOfJob } from '../../../core/endpoints/v2/job-end.js';
import { groupOutputs } from '../../../core/endpoints/v2/outputs.js';
import type { HistoryRecord } from '../../../core/endpoints/history.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { previewMessage } from './preview-message.js';

/** One event of a job's stream: its name, and its data as JSON, or as text if it is not JSON. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** What a socket carries. */
export type Message = string | ArrayBuffer;

/** Turns the events of one job into the messages of v1. */
export interface JobMessages {
  /** The messages that an event stands for; at least one. */
  readonly of: (event: StreamEvent) => readonly Message[];
  /** The messages of the job's end: the outputs that no event brought, and how it ended, by its record where there is one. */
  readonly ofEnd: (event: StreamEvent, record: HistoryRecord | undefined) => readonly Message[];
}

/** Whether an event says that the job has ended. */
export const isEnd = ({ event, data }: StreamEvent): boolean =>
  event === 'status' && endPhaseOf(wordOf(data)) !== undefined;

/**
 * Makes the {@link JobMessages} of one job, for all connections to its stream.
 *
 * `status` and `progress` become `execution_start`, `executing` and `progress`, `preview` a picture with job and node, `output` an
 * `executed`. What the service says of the job as a whole is their `overall`. Any other event becomes a message of the type `v2/` and the event's name. Each message has the event as it came
 * under `data.v2`. Total: no event throws (docs/protocol.md, chapters 12.7 and 12.10).
 */
export const jobMessages = (promptId: string): JobMessages => {
  let hasStarted = false;
  let node: string | undefined;
  /** How many outputs of each node events have brought. */
  const seen = new Map<string, number>();

  const message = (type: string, event: StreamEvent, data: object = {}): Message =>
    JSON.stringify({ type, data: { prompt_id: promptId, ...data, v2: event } });
  const start = (event: StreamEvent): readonly Message[] => {
    if (hasStarted) return [];
    hasStarted = true;
    return [message('execution_start', event)];
  };
  const executed = (event: StreamEvent, nodeId: string, output: unknown): Message =>
    message('executed', event, { node: nodeId, display_node: nodeId, output });

  const ofProgress = (event: StreamEvent): readonly Message[] => {
    const { current_node, step, steps, value: overall } = isJsonObject(event.data) ? event.data : {};
    const current = idOf(current_node);
    if (current === undefined) return [];
    const isNew = current !== node;
    node = current;
    return [
      ...start(event),
      ...(isNew ? [message('executing', event, { node, display_node: node, overall })] : []),
      ...(typeof step === 'number' && typeof steps === 'number'
        ? [message('progress', event, { value: step, max: steps, node, overall })]
        : []),
    ];
  };
  const ofOutput = (event: StreamEvent): readonly Message[] =>
    Object.entries(groupOutputs([event.data])).map(([nodeId, output]) => {
      seen.set(nodeId, (seen.get(nodeId) ?? 0) + 1);
      return executed(event, nodeId, output);
    });
  const ofPreview = ({ data }: StreamEvent): readonly Message[] => {
    const preview = isJsonObject(data) ? previewMessage(promptId, data) : undefined;
    return preview === undefined ? [] : [preview];
  };
  const mapped = (event: StreamEvent): readonly Message[] => {
    switch (event.event) {
      case 'status':
        return wordOf(event.data) === 'running' ? start(event) : [];
      case 'progress':
        return ofProgress(event);
      case 'output':
        return ofOutput(event);
      case 'preview':
        return ofPreview(event);
      default:
        return [];
    }
  };

  return {
    of: (event) => {
      const messages = mapped(event);
      return messages.length > 0 ? messages : [message(`v2/${event.event}`, withoutPicture(event))];
    },
    ofEnd: (event, record) => {
      const word = wordOf(event.data);
      const phase = record?.phase ?? endPhaseOf(word);
      const { endedAt: timestamp, outputs = {} } = record ?? {};
      const unseen = Object.entries(outputs).filter(
        ([nodeId, output]) => filesIn(output) > (seen.get(nodeId) ?? 0),
      );
      const failure = record?.failure ?? failureOfJob({ status: word });
      return [
        ...unseen.map(([nodeId, output]) => executed(event, nodeId, output)),
        phase === 'completed'
          ? message('execution_success', event, { timestamp })
          : phase === 'cancelled'
            ? message('execution_interrupted', event, { timestamp })
            : message('execution_error', event, {
                exception_type: failure.exceptionType,
                exception_message: failure.exceptionMessage,
                node_id: failure.nodeId,
                node_type: failure.nodeType,
                traceback: failure.traceback,
                timestamp,
              }),
      ];
    },
  };
};

const wordOf = (data: unknown): string => {
  const status = isJsonObject(data) ? data['status'] : undefined;
  return typeof status === 'string' ? status : '';
};

const idOf = (id: unknown): string | undefined =>
  typeof id === 'number' ? `${id}` : typeof id === 'string' && id !== '' ? id : undefined;

const filesIn = (output: object): number =>
  Object.values(output).reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);

/** A picture that can't be read is not repeated as text. */
const withoutPicture = ({ event, data }: StreamEvent): StreamEvent =>
  isJsonObject(data) && 'data_base64' in data
    ? { event, data: { ...data, data_base64: undefined } }
    : { event, data };
