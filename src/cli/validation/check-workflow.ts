import type { Assignment } from '../input/assignment.js';
import { type ConnectionFlags, readBaseUrl, readDialect, stateFolder } from '../settings.js';
import { type DefinitionsCache, definitionsCache } from './definitions-cache.js';
import { isServiceError, serviceError } from '../../node.js';
import { type NodeDefinitions, type Problem, validateWorkflow } from '../../workflow/index.js';
import { orThrow, type Session } from '../run-command.js';

/** What was found in a workflow, by which node classes. */
export interface Checked {
  readonly definitions: NodeDefinitions;
  readonly problems: readonly Problem[];
}

/**
 * Checks a workflow by the node classes of the service, those of the last ten minutes; before it reports an error by classes
 * that an earlier command fetched, it fetches them again.
 */
export const checkWorkflow = async (
  session: Session,
  flags: ConnectionFlags,
  workflowFor: (definitions: NodeDefinitions) => unknown,
): Promise<Checked> => {
  const check = (definitions: NodeDefinitions): Checked => ({
    definitions,
    problems: validateWorkflow(workflowFor(definitions), definitions),
  });
  const kept = await cacheOf(session, flags).read();
  if (kept !== undefined) {
    const checked = check(kept);
    if (!checked.problems.some(({ severity }) => severity === 'error')) return checked;
  }
  return check(await fetchDefinitions(session, flags));
};

/** Fetches the node classes of the service, and keeps them for what comes after. */
export const fetchDefinitions = async (
  session: Session,
  flags: ConnectionFlags,
): Promise<NodeDefinitions> => {
  const { rest } = await session.connect();
  const definitions = orThrow(await rest.objectInfo({ signal: session.stop })());
  await cacheOf(session, flags).keep(definitions);
  return definitions;
};

const cacheOf = ({ io: { env } }: Session, flags: ConnectionFlags): DefinitionsCache => {
  const dialect = readDialect(env, flags.dialect);
  return definitionsCache(stateFolder(env), `${dialect} ${readBaseUrl(env, dialect)}`);
};

/**
 * Refuses a workflow before it is paid for, where the node classes decide that it would be refused or run in part; reports
 * everything else that it found. Inputs that an upload will fill are not looked at.
 *
 * Where the classes can't be fetched, it warns, and lets the workflow pass.
 */
export const refuseErrors = async (
  session: Session,
  flags: ConnectionFlags,
  { workflow, uploads }: { readonly workflow: unknown; readonly uploads: readonly Assignment[] },
): Promise<void> => {
  const found = await problemsOf(session, flags, workflow);
  const problems = found.filter(
    (problem) => !uploads.some(({ nodeId, input }) => nodeId === problem.nodeId && input === problem.input),
  );
  for (const problem of problems) session.report({ kind: 'problem', problem });
  const errors = problems.filter(({ severity, serverOnly }) => severity === 'error' && serverOnly !== true);
  if (errors.length === 0) return;
  throw serviceError('InvalidWorkflow', {
    format: 'api',
    problems,
    message: `The service would refuse the workflow or a part of it, for ${errors.length === 1 ? 'one error' : `${errors.length} errors`}.`,
    hint: 'Nothing was sent. Correct the workflow (promptwire validate FILE --fix repairs what is plain), or run with --no-validate.',
  });
};

const problemsOf = async (
  session: Session,
  flags: ConnectionFlags,
  workflow: unknown,
): Promise<readonly Problem[]> => {
  try {
    return (await checkWorkflow(session, flags, () => workflow)).problems;
  } catch (error) {
    if (session.stop.aborted || !isServiceError(error)) throw error;
    const message = `the workflow was not checked, because the node classes could not be fetched: ${error.message}`;
    session.report({ kind: 'warning', message });
    return [];
  }
};
