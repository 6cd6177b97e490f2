import { blocksSubmission } from '../../workflow/validate/blocks-submission.js';
import * as E from '../../core/protocol/either.js';
import type { ObjectInfo } from '../../core/endpoints/object-info.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { RedactValue } from '../../core/redaction/redact-value.js';
import type { Rest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { validateWorkflow } from '../../workflow/validate/validate-workflow.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Whether a workflow is checked before it is submitted, by the node classes of the service: `off`, the default, does not;
 * `warn` submits it in any case, with what was found in `JobState.problems`; `strict` submits nothing that has an error, unless only the
 * server can tell whether it is one.
 */
export type ValidateMode = 'off' | 'warn' | 'strict';

/**
 * Checks a workflow before its submission, and that its `targets` are output nodes; `off` checks these alone.
 *
 * Left if nothing may be sent: `InvalidWorkflow` with the problems, `InvalidConfig` for targets, or, where the node classes could not be fetched, the
 * error of that. The latter is a warning for `warn` without targets.
 */
export type Validate = (
  workflow: Workflow,
  mode: ValidateMode,
  targets?: readonly string[],
) => Promise<E.Either<ServiceError, readonly Problem[]>>;

/**
 * Checks the workflows of one client. The node classes are fetched for the first of them, again before an error that they decide
 * is reported by older ones, and after a fetch that failed.
 */
export const validation = (rest: Pick<Rest, 'objectInfo'>, redactValue: RedactValue): Validate => {
  let fetching: Promise<E.Either<ServiceError, ObjectInfo>> | undefined;
  const fetchClasses = (): NonNullable<typeof fetching> => {
    const fetch = rest
      .objectInfo({ userModels: true })()
      .then((answer) => {
        if (E.isLeft(answer) && fetching === fetch) fetching = undefined;
        return answer;
      });
    return (fetching = fetch);
  };

  return async (workflow, mode, targets) => {
    const before = fetching;
    let classes = await (before ?? fetchClasses());
    const find = (): readonly Problem[] =>
      E.isLeft(classes) || mode === 'off' ? [] : redactValue(validateWorkflow(workflow, classes.right));
    let problems = find();
    // Classes that were fetched for this workflow are new enough.
    const noOutputs = (): readonly string[] =>
      E.isLeft(classes)
        ? []
        : (targets ?? []).filter(
            (id) => !isOutputNode(workflow, id, E.isRight(classes) ? classes.right : {}),
          );
    if (before !== undefined && (problems.some(blocksSubmission) || noOutputs().length > 0)) {
      classes = await (fetching === before ? fetchClasses() : (fetching ?? fetchClasses()));
      problems = find();
    }
    if (noOutputs().length > 0) return E.left(notTargets(noOutputs()));
    if (E.isLeft(classes))
      return mode !== 'warn' || targets !== undefined ? classes : E.right([unchecked(classes.left)]);
    return mode === 'strict' && problems.some(blocksSubmission)
      ? E.left(invalid(problems))
      : E.right(problems);
  };
};

const isOutputNode = (workflow: Workflow, id: string, classes: ObjectInfo): boolean => {
  const name = workflow[id]?.class_type ?? '';
  return Object.hasOwn(classes, name) && classes[name]?.output_node === true;
};

const notTargets = (ids: readonly string[]): ServiceError =>
  serviceError('InvalidConfig', {
    option: 'targets',
    message: `${ids.length === 1 ? 'Node' : 'Nodes'} ${ids.join(', ')}: no output node, so that the service would skip it silently.`,
    hint: 'Nothing was sent. Name nodes that save or show something; what they need runs as well.',
  });

const unchecked = ({ message }: ServiceError): Problem => ({
  type: 'not_validated',
  severity: 'warning',
  message: `The workflow was not checked, because the node classes could not be fetched: ${message}`,
});

const invalid = (problems: readonly Problem[]): ServiceError => {
  const [first, ...more] = problems.filter(blocksSubmission);
  return serviceError('InvalidWorkflow', {
    format: 'api',
    problems,
    message: `${first?.message ?? ''}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
    hint: 'Nothing was sent. Correct what `problems` names; `applyFixes` does it where a problem has a fix.',
  });
};
