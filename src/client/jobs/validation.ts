import { blocksSubmission } from '../../workflow/validate/blocks-submission.js';
import * as E from '../../core/protocol/either.js';
import type { ObjectInfo } from '../../core/endpoints/object-info.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { RedactValue } from '../../core/redaction/redact-value.js';
import type { Rest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { lacksClasses, workflowAsChecked } from '../../workflow/preflight/replace-classes.js';
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

/** The node classes of a service, and what it puts in place of those that it lacks. */
interface KnownClasses {
  readonly classes: ObjectInfo;
  /** Asked for with the first workflow that has a class which the service lacks. */
  readonly replacements: () => Promise<unknown>;
}

/** What the classes say of a workflow: its problems, and the targets that are no output nodes. */
interface Found {
  readonly problems: readonly Problem[];
  readonly idle: readonly string[];
}

/**
 * Checks the workflows of one client, each as the service does it: after its replacements of classes. The node classes are fetched for the
 * first of them, again before an error that they decide is reported by older ones, and after a fetch that failed.
 */
export const validation = (
  rest: Pick<Rest, 'objectInfo' | 'nodeReplacements'>,
  redactValue: RedactValue,
): Validate => {
  let fetching: Promise<E.Either<ServiceError, KnownClasses>> | undefined;
  const fetchClasses = (): NonNullable<typeof fetching> => {
    const fetch = rest
      .objectInfo({ userModels: true })()
      .then((answer) => {
        if (E.isRight(answer)) return E.right(knownClasses(answer.right, rest));
        if (fetching === fetch) fetching = undefined;
        return answer;
      });
    return (fetching = fetch);
  };

  return async (workflow, mode, targets) => {
    const find = async (known: E.Either<ServiceError, KnownClasses>): Promise<Found> => {
      if (E.isLeft(known)) return { problems: [], idle: [] };
      const { classes, replacements } = known.right;
      const sent = lacksClasses(workflow, classes)
        ? workflowAsChecked(workflow, classes, await replacements())
        : workflow;
      return {
        problems: mode === 'off' ? [] : redactValue(validateWorkflow(sent, classes)),
        idle: (targets ?? []).filter((id) => !isOutputNode(sent, id, classes)),
      };
    };

    const before = fetching;
    let known = await (before ?? fetchClasses());
    let found = await find(known);
    // Classes that were fetched for this workflow are new enough.
    if (before !== undefined && (found.problems.some(blocksSubmission) || found.idle.length > 0)) {
      known = await (fetching === before ? fetchClasses() : (fetching ?? fetchClasses()));
      found = await find(known);
    }
    if (found.idle.length > 0) return E.left(notTargets(found.idle));
    if (E.isLeft(known))
      return mode !== 'warn' || targets !== undefined ? known : E.right([unchecked(known.left)]);
    return mode === 'strict' && found.problems.some(blocksSubmission)
      ? E.left(invalid(found.problems))
      : E.right(found.problems);
  };
};

const knownClasses = (classes: ObjectInfo, rest: Pick<Rest, 'nodeReplacements'>): KnownClasses => {
  let asked: Promise<unknown> | undefined;
  const ask = async (): Promise<unknown> => {
    const answer = await rest.nodeReplacements()();
    return E.isRight(answer) ? answer.right : undefined;
  };
  return { classes, replacements: () => (asked ??= ask()) };
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
