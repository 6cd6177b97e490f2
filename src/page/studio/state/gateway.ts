import { createRemote, definitions, deleteJob, type Remote } from '../../../remote.js';
import type { NamedJob } from './jobs.js';
import type { NodeDefinitions } from '../../../workflow.js';
import type { Session } from './session.js';
import type { Workflow } from '../../../index.js';
import type { World } from './world.js';

/** The gateway as the studio uses it: its jobs, what its service has, and the workflows of earlier jobs. */
export interface Gateway {
  readonly remote: Remote;
  /** What the classes of the service take. */
  readonly definitions: () => Promise<NodeDefinitions>;
  /** The workflow of a job; undefined if the gateway has it no more. */
  readonly workflowOf: (id: string) => Promise<Workflow | undefined>;
  /** A job with its labels; rejects where the caller has none of this id. */
  readonly named: (id: string) => Promise<NamedJob>;
  /** Forgets a job that has ended, with its files where the service can delete them. */
  readonly deleteJob: (id: string) => Promise<void>;
  /** Opens the events of a job from the first one on, one JSON object a line. */
  readonly openEvents: (id: string, signal: AbortSignal) => Promise<Response>;
}

/** Speaks to the gateway that serves the page, with the token of the session. */
export const openGateway = (world: World, { token }: Session): Gateway => {
  const remote = createRemote({
    url: world.address,
    ...(token.value !== undefined && { token: token.value }),
  });
  return {
    remote,
    definitions: () => definitions(remote),
    workflowOf: (id) => remote.ask({ path: `/api/v2/jobs/${id}/workflow` }, workflowIn),
    named: (id) => remote.ask({ path: `/jobs/${id}` }, (answer) => namedIn(id, answer)),
    deleteJob: async (id) => {
      await deleteJob(remote, id);
    },
    openEvents: (id, signal) => {
      const headers = new Headers({ accept: 'application/x-ndjson' });
      if (token.value !== undefined) headers.set('authorization', `Bearer ${token.value}`);
      return world.fetch(new URL(`jobs/${id}/events?from=start`, world.address), { headers, signal });
    },
  };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const workflowIn = (answer: unknown): Workflow | undefined => {
  const workflow = isObject(answer) ? answer['workflow'] : undefined;
  return isObject(workflow) ? (workflow as Workflow) : undefined;
};

const namedIn = (id: string, answer: unknown): NamedJob | undefined => {
  if (!isObject(answer)) return undefined;
  const { createdAt, metadata } = answer;
  const labels = Object.entries(isObject(metadata) ? metadata : {}).filter(
    (label): label is [string, string] => typeof label[1] === 'string',
  );
  return { id, createdAt: Number(createdAt), metadata: Object.fromEntries(labels) };
};
