import type { Intent } from '../policy/intent.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { JobProgress } from '../../../core/events/job-log-event.js';
import { isProgress } from './event-shapes.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';
import type { QueuePhase, QueueRecord } from './job-store.js';
import { readStoredJson } from './read-stored-json.js';

/** The format of jobs that this version writes, and the newest one that it reads. */
const format = 1;

/** A job and the fence of its last holder. */
export interface ReadRecord {
  readonly job: QueueRecord;
  readonly fence: number;
}

/** Reads the fields of a job as the scripts write them: names and values in turn. */
export const readRecord = (id: string, fields: readonly string[]): ReadRecord => {
  const values = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    values.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const text = (name: string) => {
    const value = values.get(name);
    return value === undefined || value === '' ? {} : { [name]: value };
  };
  const number = (name: string) => {
    const value = values.get(name);
    return value === undefined ? {} : { [name]: Number(value) };
  };
  const intent = values.get('intent');
  const kept = intent === undefined ? undefined : readIntent(intent);
  const progress = readProgress(values.get('progress') ?? '');
  const job: QueueRecord = {
    id,
    tenant: values.get('tenant') ?? '',
    priority: Number(values.get('priority')),
    phase: values.get('phase') as QueuePhase,
    createdAt: Number(values.get('createdAt')),
    ...text('key'),
    ...text('reason'),
    ...text('outcome'),
    ...text('worker'),
    ...text('promptId'),
    ...text('server'),
    ...text('work'),
    ...number('reruns'),
    ...number('endedAt'),
    ...number('cancelRequestedAt'),
    ...(kept !== undefined && { intent: kept }),
    ...(intent !== undefined && kept === undefined && { unreadable: true as const }),
    ...(Number(values.get('format') ?? format) > format && { later: true as const }),
    ...(progress !== undefined && { progress }),
  };
  return { job, fence: Number(values.get('fence')) };
};

const readIntent = (text: string): Intent | undefined => {
  const intent = readStoredJson(text);
  const isWhole =
    isJsonObject(intent) &&
    typeof intent['submissionId'] === 'string' &&
    typeof intent['attempt'] === 'number';
  return isWhole ? (intent as unknown as Intent) : undefined;
};

/** Restores progress from its JSON form; undefined for anything else. */
export const readProgress = (text: string): JobProgress | undefined => {
  const progress = readStoredJson(text);
  return isProgress(progress)
    ? readJobEvent({ type: 'progress', at: 0, progress: progress as unknown as JobProgress }).progress
    : undefined;
};
