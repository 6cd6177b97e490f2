import { NotAllowed } from './wire.js';
import { type SampleWorkflows, standardWorkflows, type Workflow } from './sample-workflows.js';

/** The sample workflows for a service, by its node classes; a workflow that needs a class which it lacks is not allowed. */
export const workflowsFor = (objectInfo: Readonly<Record<string, unknown>>): SampleWorkflows => {
  const made = standardWorkflows(checkpointOf(objectInfo['CheckpointLoaderSimple']));
  const checked = (workflow: Workflow): Workflow => {
    const missing = Object.values(workflow)
      .map(({ class_type: name }) => name)
      .filter((name) => !Object.hasOwn(objectInfo, name));
    if (missing.length > 0)
      throw new NotAllowed(
        `it needs node classes that the service lacks: ${[...new Set(missing)].join(', ')}`,
      );
    return workflow;
  };
  return {
    everything: () => checked(made.everything()),
    picture: () => checked(made.picture()),
    long: () => checked(made.long()),
    failing: (exceptionType) => checked(made.failing(exceptionType)),
    blocked: () => checked(made.blocked()),
    partner: () => checked(made.partner()),
    load: (name) => checked(made.load(name)),
  };
};

/** The first checkpoint of the list; empty if the list is, which the service refuses. */
const checkpointOf = (definition: unknown): string => {
  const { input } = (definition ?? {}) as {
    readonly input?: { readonly required?: Readonly<Record<string, unknown>> };
  };
  const [choices, options] = (input?.required?.['ckpt_name'] ?? []) as readonly unknown[];
  const listed = Array.isArray(choices)
    ? (choices as readonly unknown[])
    : (((options ?? {}) as { readonly options?: readonly unknown[] }).options ?? []);
  return listed.find((name) => typeof name === 'string') ?? '';
};
