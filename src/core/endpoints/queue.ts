import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';
import { maxOfWorkflows, queuePieces, type WorkflowOption } from './without-workflow.js';

/** `GET /api/queue`: what runs and what waits (docs/protocol.md, chapter 2). */
export const queueEndpoint = (options: WorkflowOption = {}): Endpoint<Queue> => ({
  method: 'GET',
  path: '/api/queue',
  idempotency: 'always',
  maxBytes: maxOfWorkflows,
  parsedInPieces: queuePieces(options),
  keepsNumbers: options.workflow === false ? undefined : 'all',
  read: (json, asSent) => readQueue(asSent ?? json),
});

/** One job of the queue listing. */
export interface QueueItem {
  /** The job's id. */
  readonly promptId: string;
  /** Position (cloud) or priority (local). */
  readonly number: number;
  /** When it was submitted, in milliseconds since 1970, where the service says so. */
  readonly createdAt?: number;
  /** The submitted workflow as the service lists it, unchecked: `readApiWorkflow` reads it. Integers beyond 2^53 are `bigint`. */
  readonly workflow?: unknown;
  /** What was sent as `extra_data`, without credentials, as a local server lists it. */
  readonly extraData?: Readonly<Record<string, unknown>>;
}

/** Jobs that run and jobs that wait, the next one first. */
export interface Queue {
  /** The jobs that run. */
  readonly running: readonly QueueItem[];
  /** The jobs that wait, the next one first. */
  readonly pending: readonly QueueItem[];
}

/**
 * Reads the queue listing. Both services list each job as five values; the fourth and fifth stand the other way round on
 * a local server, whose waiting jobs are in no order either: here they are, the next one first
 * (docs/protocol.md, chapters 2 and 11).
 */
export const readQueue = (json: unknown): E.Either<string, Queue> => {
  if (!isJsonObject(json)) return E.left('the queue is no object');
  const { queue_running: running, queue_pending: pending } = json;
  if (!Array.isArray(running) && !Array.isArray(pending)) return E.left('the answer has no queue lists');
  return E.right({
    running: readItems(running),
    pending: readItems(pending).toSorted((one, other) => one.number - other.number),
  });
};

const readItems = (items: unknown): readonly QueueItem[] =>
  (Array.isArray(items) ? items : []).flatMap((item: unknown) => readItem(item) ?? []);

const readItem = (item: unknown): QueueItem | undefined => {
  if (!Array.isArray(item)) return undefined;
  const [number, promptId, workflow, fourth, fifth] = item as readonly unknown[];
  if (typeof promptId !== 'string') return undefined;
  const extra = Array.isArray(fourth) ? fifth : fourth;
  const createdAt = isJsonObject(extra) ? extra['create_time'] : undefined;
  return {
    promptId,
    number: typeof number === 'number' ? number : 0,
    ...(typeof createdAt === 'number' && { createdAt }),
    ...(workflow !== undefined && workflow !== null && { workflow }),
    ...(isJsonObject(fourth) && { extraData: withoutCredentials(fourth) }),
  };
};

const withoutCredentials = (extra: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(extra).filter(([name, value]) => value !== null && !credential.test(name)),
  );

/** Engines list the keys of waiting jobs in clear. */
const credential = /^(?:api_key|auth_token)_/u;
