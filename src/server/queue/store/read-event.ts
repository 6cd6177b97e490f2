import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import { parseExactJson } from '../../../core/protocol/json/exact-json.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';

/** Reads an event of a log: `later` for a type that only a later version knows, undefined for what is no event. */
export const readEvent = (text: string): LifecycleEvent | 'later' | undefined => {
  try {
    const event = parseExactJson(text);
    if (!isJsonObject(event) || typeof event['type'] !== 'string') return undefined;
    const isWhole = checks[event['type']];
    if (isWhole === undefined) return 'later';
    return isWhole(event) ? readJobEvent(event as unknown as LifecycleEvent) : undefined;
  } catch {
    return undefined;
  }
};

type Members = Readonly<Record<string, unknown>>;

/** What readers of an event rely on, by its type. */
const checks: Readonly<Record<string, (event: Members) => boolean>> = {
  submitted: ({ state }) => hasPhase(state) && isJsonObject(state['nodes']) && isJsonObject(state['outputs']),
  status: ({ status }) => hasPhase(status),
  output: ({ nodeId, outputs, added }) =>
    typeof nodeId === 'string' && isJsonObject(outputs) && Array.isArray(added),
  cancelRequested: () => true,
};

const hasPhase = (value: unknown): value is Members =>
  isJsonObject(value) && typeof value['phase'] === 'string' && isJsonObject(value['nodeErrors']);
