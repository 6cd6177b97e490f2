import type { Intent } from '../policy/intent.js';
import type { JobProgress } from '../../../core/events/job-log-event.js';
import { parseExactJson } from '../../../core/protocol/json/exact-json.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';
import type { QueuePhase, QueueRecord } from './job-store.js';

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
  const progress = values.get('progress');
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
    ...number('endedAt'),
    ...number('cancelRequestedAt'),
    ...(intent !== undefined && { intent: JSON.parse(intent) as Intent }),
    ...(progress !== undefined && { progress: readProgress(progress) }),
  };
  return { job, fence: Number(values.get('fence')) };
};

/** Restores progress from its JSON form. */
export const readProgress = (text: string): JobProgress => {
  const progress = parseExactJson(text) as JobProgress;
  return readJobEvent({ type: 'progress', at: 0, progress }).progress;
};
