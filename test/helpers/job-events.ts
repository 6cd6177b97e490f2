import type { EventFrame } from '../../src/core/protocol/frames/frame.js';
import type { EventData, EventType } from '../../src/core/protocol/event-data.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';

export const promptId = 'job';
export const event = <Type extends EventType>(
  type: Type,
  data: Omit<EventData[Type], 'prompt_id'> | object = {},
): EventFrame =>
  ({ _tag: 'Event', type, promptId, data: { prompt_id: promptId, ...data } }) as unknown as EventFrame;

export const executing = (node: string | null | undefined, display_node = node): EventFrame =>
  event('executing', { node, display_node });
export const progress = (node: string | null, value: unknown, max: unknown): EventFrame =>
  event('progress', { node, value, max });
export const progressState = (nodes: object): EventFrame => event('progress_state', { nodes });
export const executed = (node: string, output: unknown, display_node: string | null = node): EventFrame =>
  event('executed', { node, display_node, output });

export const fold = (events: readonly JobInput[], from = initialJobState({ promptId })): JobState =>
  events.reduce(stepJobState, from);

const node = { class_type: 'A', inputs: {} };
const workflowOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, node]));
export const ofNodes = (count: number): JobState =>
  initialJobState({ promptId, workflow: workflowOf(count) });
