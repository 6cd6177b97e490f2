import { asJsonObject } from '../http/request.js';
import { countOutputs, countPreviewable, normalisedOutputs, previewOf } from './job-outputs.js';
import type { EngineFacts } from './engine-facts.js';
import type { EventData } from '../messages.js';
import type { LocalJob } from './run-local-job.js';
import { PythonFloat } from '../python-float.js';
import { ServerError } from './python.js';
import { withoutCredentials } from '../scheduler/credentials.js';

/** The words of the jobs API for a job. */
export const jobWords = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;

/** What the jobs API lists of a job, and what it adds for one alone. */
export interface JobEntry {
  readonly item: EventData & { readonly status: string };
  readonly more: EventData;
}

/** A job that waits or runs. */
export const queuedEntry = (
  job: Pick<LocalJob, 'id' | 'shownNumber' | 'extraData' | 'prompt'>,
  status: 'pending' | 'in_progress',
  facts: EngineFacts,
): JobEntry => ({
  item: {
    ...common(job.id, job.shownNumber, job.extraData),
    status,
    outputs_count: 0,
    ...(facts.previewableCount && { previewable_outputs_count: 0 }),
  },
  more: facts.workflowWhileQueued ? { workflow: workflowOf(job.prompt, job.extraData) } : {},
});

/** A job that has ended, from its record. */
export const endedEntry = (id: string, record: EventData, facts: EngineFacts): JobEntry => {
  const [number, , prompt, extraData] = record['prompt'] as readonly [unknown, string, unknown, EventData];
  const outputs = asJsonObject(record['outputs']) ?? {};
  const status = asJsonObject(record['status']);
  const messages = (status?.['messages'] ?? []) as readonly (readonly [string, EventData])[];
  const dataOf = (...types: readonly string[]): EventData | undefined =>
    messages.find(([type]) => types.includes(type))?.[1];
  const error = dataOf('execution_error');
  const preview = previewOf(outputs, facts);
  return {
    item: {
      ...common(id, number, extraData),
      status: wordOf(status?.['status_str'], dataOf('execution_interrupted') !== undefined, facts),
      execution_start_time: dataOf('execution_start')?.['timestamp'],
      execution_end_time: dataOf('execution_success', 'execution_error', 'execution_interrupted')?.[
        'timestamp'
      ],
      execution_error: error,
      outputs_count: countOutputs(outputs, facts),
      ...(facts.previewableCount && { previewable_outputs_count: countPreviewable(outputs, facts) }),
      preview_output: preview,
    },
    more: {
      outputs: normalisedOutputs(outputs, facts),
      execution_status: status ?? null,
      workflow: workflowOf(prompt, extraData),
    },
  };
};

/** Only the word of the record counts; what is no error is completed. */
const wordOf = (word: unknown, isInterrupted: boolean, { cancelledWord }: EngineFacts): string => {
  if (word !== 'error') return 'completed';
  return isInterrupted && cancelledWord ? 'cancelled' : 'failed';
};

const common = (id: string, number: unknown, extraData: EventData): EventData => ({
  id,
  priority: number,
  create_time: extraData['create_time'],
  workflow_id: workflowIdOf(extraData),
});

const workflowOf = (prompt: unknown, extraData: EventData): EventData => ({
  prompt,
  extra_data: withoutCredentials(extraData),
});

/** The id of the file in the editor; a null on the way to it breaks the engine. */
const workflowIdOf = (extraData: EventData): unknown =>
  memberOf(memberOf(extraData, 'extra_pnginfo'), 'workflow')['id'];

const memberOf = (holder: EventData, name: string): EventData => {
  if (!(name in holder)) return {};
  const member = asJsonObject(holder[name]);
  if (member === undefined) throw new ServerError(`${name} is no object`);
  return member;
};

/** A number of Python as one to sort by; anything else sorts as 0. */
export const sortable = (value: unknown): number => {
  if (value instanceof PythonFloat) return value.value;
  return typeof value === 'number' ? value : 0;
};
