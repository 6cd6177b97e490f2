import { type History, readWorkflow, type Workflow } from '../../node.js';

/** The workflow that a job's record keeps, where it can be read: a list with the workflow as third, or an object. */
export const recordWorkflow = ({ record }: Pick<History, 'record'>): Workflow | undefined => {
  const { prompt } = record;
  const kept: unknown = Array.isArray(prompt) ? prompt[2] : isObject(prompt) ? prompt['prompt'] : undefined;
  const workflow = readWorkflow(kept);
  return workflow._tag === 'Right' ? workflow.right : undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
