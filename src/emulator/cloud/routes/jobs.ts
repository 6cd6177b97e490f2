import type { EmulatorClock } from '../../clock.js';
import type { EventData } from '../../messages.js';
import type { Handler } from '../handler.js';
import { isWaiting, type Job, stateOf, statusWord } from '../../scheduler/job.js';
import { asJsonObject } from '../../http/request.js';
import { filesOf, withLinks } from '../job-files.js';
import { json, refusal } from '../../http/answer.js';
import type { Switches } from '../../switches.js';

/** `GET /api/job/{id}/status`: the job's status and times; jobs of other keys are unknown. */
export const jobStatus: Handler = ({ service, account, params }) => {
  const job = account.scheduler.job(params[0] ?? '');
  if (!job) return refusal(404, 'NOT_FOUND', 'There is no such job.');
  const { settings } = service;
  return json({
    id: job.id,
    status: statusWord(job, settings.switches, settings.has),
    created_at: iso(job.createdAt),
    updated_at: iso(job.updatedAt),
    last_state_update: iso(job.updatedAt),
    assigned_inference: job.startedAt === undefined ? null : 'emulator-1',
    error_message: job.failure ? JSON.stringify(job.failure) : null,
  });
};

const iso = (time: number): string => new Date(time).toISOString();

/**
 * `GET /api/jobs/{id}`: the newer view of a job, always with one of the five states. A service with the whole jobs API counts the
 * outputs of jobs that have ended, and adds addresses of its files where the query asks for them.
 */
export const jobDetail: Handler = ({ service, account, params, query }) => {
  const job = account.scheduler.job(params[0] ?? '');
  if (!job) return refusal(404, 'NOT_FOUND', 'There is no such job.');
  const { switches } = service.settings;
  const record = jobRecord(job, switches, service.now);
  const outputs = asJsonObject(record?.['outputs']) ?? {};
  const isLinked = switches.jobsApi === 'all' && query.has('short_link');
  return json({
    id: job.id,
    status: stateOf(job.status),
    ...(job.workflowId !== undefined && { workflow_id: job.workflowId }),
    create_time: job.createdAt,
    update_time: job.updatedAt,
    execution_start_time: job.startedAt ?? null,
    execution_end_time: job.endedAt ?? null,
    ...((switches.jobsApi === 'one' || job.endedAt !== undefined) && {
      outputs_count: [...job.outputs.values()].flatMap(filesOf).length,
    }),
    execution_error: job.failure ?? null,
    workflow: { prompt: job.prompt, extra_data: shownExtraData(job, switches) },
    outputs: isLinked ? withLinks(outputs, job, account.files) : outputs,
    ...recordFields(record),
    ...queueFields(job, account.scheduler.waiting()),
  });
};

const recordFields = (record: EventData = {}): EventData => ({
  execution_status: record['status'] ?? null,
  execution_meta: record['meta'] ?? {},
});

/** Of a job that waits for a slot of its account. */
const queueFields = (job: Job, waiting: readonly Job[]): EventData =>
  job.status === 'queued_limited'
    ? { queue_reason: 'concurrency_limit', queue_position: waiting.indexOf(job) + 1 || null }
    : { queue_reason: null, queue_position: null };

/** `GET /api/history_v2/{id}`: the job's record, flat or under its id; 404 until it has started. */
export const history: Handler = ({ service, account, params }) => {
  const job = account.scheduler.job(params[0] ?? '');
  const { switches } = service.settings;
  const record = job && jobRecord(job, switches, service.now);
  if (!job || !record) return refusal(404, 'NOT_FOUND', 'There is no record of such a job.');
  return json(switches.history === 'flat' ? record : { [job.id]: record });
};

/** `GET /api/history_v2`: the records of the latest jobs that have started, newest first, without their workflows. */
export const listHistory: Handler = ({ service, account, query }) => {
  const { switches } = service.settings;
  const offset = whole(query.get('offset')) ?? 0;
  const limit = whole(query.get('max_items')) ?? Infinity;
  const records = account.scheduler
    .jobs()
    .toReversed()
    .flatMap((job) => {
      const record = jobRecord(job, switches, service.now);
      if (record === undefined) return [];
      const prompt = { priority: 0, prompt_id: job.id, extra_data: shownExtraData(job, switches) };
      return [{ ...record, prompt_id: job.id, create_time: job.createdAt, workflow_id: null, prompt }];
    });
  return json({ history: records.slice(offset, offset + limit) });
};

const whole = (text: string | null): number | undefined =>
  text === null || !/^\d+$/.test(text) ? undefined : Number(text);

/** What was sent as `extra_data`, without credentials and without the workflow of the editor. */
const shownExtraData = ({ extraData, createdAt }: Job, { extraDataIs }: Switches): EventData => ({
  ...(extraDataIs === 'listed' &&
    Object.fromEntries(Object.entries(extraData).filter(([name]) => !unlisted.test(name)))),
  create_time: createdAt,
});

const unlisted = /^(?:api_key_|auth_token_|extra_pnginfo$)/;

/** The record of a job; undefined before its start, and where it ended without an event. */
const jobRecord = (job: Job, switches: Switches, now: EmulatorClock['now']): EventData | undefined => {
  if (isWaiting(job) || job.messages.length === 0) return undefined;
  const isComplete = job.endedAt === undefined || now() >= job.endedAt + switches.historyLagMs;
  const outputs = isComplete ? [...job.outputs] : [];
  return {
    prompt: {
      priority: 0,
      prompt_id: job.id,
      prompt: job.prompt,
      extra_data: shownExtraData(job, switches),
      outputs_to_execute: job.targets,
    },
    outputs: Object.fromEntries(outputs),
    status: job.endedAt === undefined ? null : endStatus(job),
    meta: Object.fromEntries(outputs.map(([nodeId]) => [nodeId, nodeMeta(nodeId)])),
  };
};

const endStatus = (job: Job): EventData => ({
  status_str: job.status === 'success' ? 'success' : 'error',
  completed: job.status === 'success',
  messages: job.messages,
});

const nodeMeta = (nodeId: string): EventData => ({
  node_id: nodeId,
  display_node: nodeId,
  parent_node: null,
  real_node_id: nodeId,
});
