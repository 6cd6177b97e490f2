import { stateFolder } from '../settings.js';
import { type DefinitionsCache, definitionsCache } from './definitions-cache.js';
import { isServiceError, serviceError, type Workflow } from '../../node.js';
import {
  blocksSubmission,
  findInput,
  type InputPlace,
  type NodeDefinitions,
  type Problem,
  readDefinition,
  validateWorkflow,
  workflowAsChecked,
} from '../../workflow.js';
import { orThrow, type Session } from '../run-command.js';
import { UsageError } from '../cli-io.js';

/** What was found in a workflow, by which node classes. */
export interface Checked {
  readonly definitions: NodeDefinitions;
  readonly problems: readonly Problem[];
}

/**
 * Checks something by the node classes of the service, those of the last ten minutes; before it refuses something by classes that an
 * earlier command fetched, it fetches them again.
 */
export const checkByDefinitions = async <A extends Checked>(
  session: Session,
  check: (definitions: NodeDefinitions) => A | Promise<A>,
  isRefused: (checked: A) => boolean = hasErrors,
): Promise<A> => {
  const kept = await (await cacheOf(session)).read();
  if (kept !== undefined) {
    const checked = await check(kept);
    if (!isRefused(checked)) return checked;
  }
  return check(await fetchDefinitions(session));
};

const isError = ({ severity }: Problem): boolean => severity === 'error';

const hasErrors = ({ problems }: Checked): boolean => problems.some(isError);

/** Fetches the node classes of the service, and keeps them for what comes after. */
export const fetchDefinitions = async (session: Session): Promise<NodeDefinitions> => {
  const { rest } = await session.connect();
  const definitions = orThrow(await rest.objectInfo({ userModels: true, signal: session.stop })());
  await (await cacheOf(session)).keep(definitions);
  return definitions;
};

/** The workflow as the service checks it: it puts other classes in place of some that it lacks, and is asked which. */
export const asServiceChecks = async (
  session: Session,
  workflow: Workflow,
  definitions: NodeDefinitions,
): Promise<Workflow> => {
  const isKnown = ({ class_type: name }: Workflow[string]): boolean => Object.hasOwn(definitions, name);
  if (Object.values(workflow).every(isKnown)) return workflow;
  const { rest } = await session.connect();
  const answer = await rest.nodeReplacements({ signal: session.stop })();
  return answer._tag === 'Right' ? workflowAsChecked(workflow, definitions, answer.right) : workflow;
};

const cacheOf = async ({ io: { env }, settings }: Session): Promise<DefinitionsCache> =>
  definitionsCache(stateFolder(env), await settings());

/** A workflow that is about to be submitted. */
interface Submission {
  readonly workflow: Workflow;
  /** The workflow without what the command line sets. */
  readonly given: Workflow;
  readonly settings: readonly InputPlace[];
  readonly uploads: readonly InputPlace[];
}

/**
 * Refuses a workflow before it is paid for, if the node classes show that the service would refuse it or run it in part, or that a node
 * lacks an input which the command line sets. Reports everything else that it found. Inputs that an upload will fill are not checked.
 *
 * If the classes can't be fetched, it warns and lets the workflow pass; it warns once of a service that has no such call. It returns the
 * classes that it used.
 */
export const refuseErrors = async (
  session: Session,
  { workflow, given, settings, uploads }: Submission,
): Promise<NodeDefinitions | undefined> => {
  const misnamed = ({ definitions, problems }: Checked) =>
    [...settings, ...uploads]
      .filter((place) =>
        problems.some(
          (problem) =>
            problem.type === 'unknown_input' && problem.serverOnly !== true && isAt(problem, place),
        ),
      )
      .map(({ nodeId: id, input }) => findInput(given, { id, input }, definitions))
      .find(({ _tag }) => _tag === 'Left');
  const unfilled = ({ problems }: Checked): readonly Problem[] =>
    problems.filter((problem) => !uploads.some((place) => isAt(problem, place)));
  const checked = await checkedOf(
    session,
    workflow,
    (one) => unfilled(one).some(isError) || misnamed(one) !== undefined,
  );
  if (checked === undefined) return undefined;
  const wrongName = misnamed(checked);
  if (wrongName !== undefined) orThrow(wrongName);
  const problems = unfilled(checked);
  for (const problem of problems) session.report({ kind: 'problem', problem });
  const errors = problems.filter(blocksSubmission);
  if (errors.length === 0) return checked.definitions;
  throw serviceError('InvalidWorkflow', {
    format: 'api',
    problems,
    message: `The service would refuse the workflow or a part of it, for ${errors.length === 1 ? 'one error' : `${errors.length} errors`}.`,
    hint: 'Nothing was sent. Correct the workflow (promptwire validate FILE --fix repairs what is plain), or run with --no-validate.',
  });
};

/**
 * Refuses targets that are no output nodes, as the client does with a submission: for a workflow with uploads, whose files would stay
 * at the service by then. Of many servers another one may know a class that this one lacks. Throws the error of the node classes where
 * they can't be fetched.
 */
export const refuseTargets = async (
  session: Session,
  { workflow, uploads }: { readonly workflow: Workflow; readonly uploads: readonly InputPlace[] },
  {
    targets = [],
    isOneOfMany = false,
  }: { readonly targets?: readonly string[] | undefined; readonly isOneOfMany?: boolean },
): Promise<void> => {
  if (targets.length === 0 || uploads.length === 0) return;
  const { idle } = await checkByDefinitions(
    session,
    async (definitions) => {
      const sent = await asServiceChecks(session, workflow, definitions);
      const idle = targets.filter((id) => {
        const definition = readDefinition(definitions, sent[id]?.class_type ?? '');
        return definition === undefined ? !isOneOfMany : !definition.isOutputNode;
      });
      return { definitions, problems: [], idle };
    },
    (checked) => checked.idle.length > 0,
  );
  if (idle.length > 0)
    throw new UsageError(
      `--target ${idle.join(', ')} names no output node, so that the service would skip it silently`,
    );
};

/** The node classes of the service, those of the last ten minutes; undefined, with a warning, where it gives none. */
export const knownDefinitions = async (session: Session): Promise<NodeDefinitions | undefined> =>
  (await checkedOf(session, undefined, () => false))?.definitions;

const isAt = ({ nodeId, input }: Problem, place: InputPlace): boolean =>
  nodeId === place.nodeId && input === place.input;

const checkedOf = async (
  session: Session,
  workflow: Workflow | undefined,
  isRefused: (checked: Checked) => boolean,
): Promise<Checked | undefined> => {
  try {
    return await checkByDefinitions(
      session,
      async (definitions) => {
        const sent = workflow && (await asServiceChecks(session, workflow, definitions));
        return { definitions, problems: sent === undefined ? [] : validateWorkflow(sent, definitions) };
      },
      isRefused,
    );
  } catch (error) {
    if (session.stop.aborted || !isServiceError(error)) throw error;
    // A service of API v2 alone never has them, which is worth one warning.
    if (error._tag === 'NotSupported' && !(await (await cacheOf(session)).noteAbsence())) return undefined;
    const message = `the workflow was not checked, because the node classes could not be fetched: ${error.message}`;
    session.report({ kind: 'warning', message });
    return undefined;
  }
};
