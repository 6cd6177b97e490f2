import { isJsonObject } from '../../../core/protocol/json/json.js';
import { isListOf, isNumber, isProgress, isState, isStatus, isText } from './event-shapes.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';
import { readStoredJson } from './read-stored-json.js';

/** Reads an event of a log: `later` for a type that only a later version knows, undefined for what is no event. */
export const readEvent = (text: string): LifecycleEvent | 'later' | undefined => {
  const event = readStoredJson(text);
  if (!isJsonObject(event) || typeof event['type'] !== 'string') return undefined;
  const isWhole = Object.hasOwn(checks, event['type']) ? checks[event['type']] : undefined;
  if (isWhole === undefined) return 'later';
  return isNumber(event['at']) && isWhole(event)
    ? readJobEvent(event as unknown as LifecycleEvent)
    : undefined;
};

type Members = Readonly<Record<string, unknown>>;

/** What readers of an event rely on, by its type. */
const checks: Readonly<Record<string, (event: Members) => boolean>> = {
  submitted: ({ state }) => isState(state),
  status: ({ status, progress }) => isStatus(status) && (progress === undefined || isProgress(progress)),
  output: ({ nodeId, outputs, added }) =>
    isText(nodeId) && isJsonObject(outputs) && isListOf(isJsonObject)(added),
  cancelRequested: () => true,
};
