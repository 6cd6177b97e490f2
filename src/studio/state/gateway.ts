import { createRemote, type Remote } from '../../remote.js';
import type { NodeDefinitions } from '../../workflow.js';
import type { Session } from './session.js';
import type { Workflow } from '../../index.js';
import type { World } from './world.js';

/** The gateway as the studio uses it: its jobs, what its service has, and the workflows of earlier jobs. */
export interface Gateway {
  readonly remote: Remote;
  /** What the classes of the service take; undefined where the gateway can't tell. */
  readonly definitions: () => Promise<NodeDefinitions | undefined>;
  /** The workflow of a job; undefined where the gateway has it no more. */
  readonly workflowOf: (id: string) => Promise<Workflow | undefined>;
}

/** Speaks to the gateway that serves the page, with the token of the session. */
export const openGateway = (world: World, { token }: Session): Gateway => {
  const remote = createRemote({
    url: world.address,
    ...(token.value !== undefined && { token: token.value }),
  });
  const ask = async (path: string): Promise<unknown> => {
    const headers = new Headers(token.value === undefined ? {} : { authorization: `Bearer ${token.value}` });
    const answer = await world.fetch(new URL(path, world.address), { headers });
    return answer.ok ? answer.json() : undefined;
  };
  return {
    remote,
    definitions: async () => definitionsIn(await ask('definitions')),
    workflowOf: async (id) => workflowIn(await ask(`api/v2/jobs/${id}/workflow`)),
  };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const definitionsIn = (answer: unknown): NodeDefinitions | undefined =>
  isObject(answer) ? answer : undefined;

const workflowIn = (answer: unknown): Workflow | undefined => {
  const workflow = isObject(answer) ? answer['workflow'] : undefined;
  return isObject(workflow) ? (workflow as Workflow) : undefined;
};
