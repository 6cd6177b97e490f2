import type { HttpDialect } from './connection.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { SubmitRequest, SubmitRequests } from '../endpoints/submit-requests.js';
import type { Workflow } from '../protocol/workflow.js';

/** Why what a submission asks for can't be sent; undefined if it can. `NotSupported` names what the dialect has no place for. */
export const refusedRequest = (
  { takes }: Pick<HttpDialect, 'takes'>,
  workflow: Workflow,
  asked: SubmitRequests,
): ServiceError | undefined => {
  const unknown = requests.find((name) => asked[name] !== undefined && !takes.includes(name));
  if (unknown !== undefined)
    return serviceError('NotSupported', {
      message: `A server of this dialect takes no ${unknown} with a submission.`,
      hint: `Leave ${unknown} out. Nothing was sent. This dialect takes: ${takes.join(', ')}.`,
    });
  const problem = problemOf(workflow, asked);
  return problem && serviceError('InvalidConfig', { option: problem[0], message: problem[1] });
};

const requests: readonly SubmitRequest[] = [
  'labels',
  'front',
  'number',
  'targets',
  'workflowId',
  'previewMethod',
];

const problemOf = (
  workflow: Workflow,
  { labels, front, number, targets, workflowId, previewMethod }: SubmitRequests,
): readonly [option: SubmitRequest, message: string] | undefined => {
  if (Object.values(labels ?? {}).some((value: unknown) => typeof value !== 'string'))
    return ['labels', 'labels takes texts.'];
  if (number !== undefined && !Number.isFinite(number)) return ['number', 'number takes a finite number.'];
  if (number !== undefined && front === true)
    return ['front', 'front and number say two things of one place.'];
  const problem = targets && problemOfTargets(workflow, targets);
  if (problem !== undefined) return ['targets', problem];
  if (workflowId !== undefined && !uuidForm.test(workflowId))
    return ['workflowId', 'workflowId must be a UUID.'];
  if (previewMethod !== undefined && !methods.includes(previewMethod))
    return ['previewMethod', `previewMethod takes ${methods.join(', ')}.`];
  return undefined;
};

const problemOfTargets = (workflow: Workflow, targets: readonly string[]): string | undefined => {
  if (targets.length === 0) return 'targets takes one id or more: without any nothing would run.';
  const missing = targets.filter((id) => !Object.hasOwn(workflow, id));
  return missing.length > 0 ? `The workflow has no node ${missing.join(', ')}.` : undefined;
};

const methods: readonly string[] = ['default', 'none', 'auto', 'latent2rgb', 'taesd'];

/** Of ids of submissions and of saved workflows. */
export const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
