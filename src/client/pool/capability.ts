import { definitionOfClass, joined } from '../../generate/class-definitions.js';
import { cutText } from '../../core/redaction/cut-text.js';
import type { Clock } from '../../core/platform/platform.js';
import { capabilitiesOf, type ServerCapabilities } from '../../core/state/server-capabilities.js';
import type { Client } from '../client-types.js';
import * as E from '../../core/protocol/either.js';
import type { NodeDefinitions } from '../../workflow/definitions.js';
import type { Problem } from '../../core/protocol/problem.js';
import { newClassesOf, workflowAsChecked } from '../../workflow/preflight/replace-classes.js';
import { validating } from '../../workflow/validate/validate-workflow.js';
import { inSlices } from '../../core/platform/in-slices.js';
import type { Steps } from '../../core/protocol/steps.js';
import type { Work } from './work.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Whether a server can run some work; `unknown` while it was not asked, or could not be. */
export type Capability =
  { readonly _tag: 'unknown' | 'able' } | { readonly _tag: 'unable'; readonly problems: readonly Problem[] };

/** What one server can run, by its own definitions of the classes. */
export interface Capabilities {
  /** What is known now. */
  readonly of: (work: Work) => Capability;
  /** Finds out, with one request for each class that was not asked for yet; resolves to false if the server gives no answer. */
  readonly learn: (work: Work, workflow: Workflow) => Promise<boolean>;
  /** Forgets what it can't run, unless that was found out just now: models may be added at any time. */
  readonly forgetRefusals: () => void;
  /** All that is known now; undefined before anything is. */
  readonly shown: () => ServerCapabilities | undefined;
  /** Forgets everything, after which a server that has changed is asked again. */
  readonly forget: () => void;
}

/**
 * Asks a server for the definitions of single classes, which are small, and checks workflows by them.
 *
 * A server that gives no definitions, such as one of API v2 alone, can run everything: it refuses by itself what it can't.
 */
export const capabilities = (
  { rest }: Pick<Client, 'rest'>,
  clock: Pick<Clock, 'now' | 'after'>,
): Capabilities => {
  const learnedAt = { last: -Infinity };
  const classes = new Map<string, Promise<E.Either<'none' | 'away', NodeDefinitions>>>();
  const known = new Map<string, Capability>();
  const asked = new Map<string, Promise<boolean>>();

  const ask = async (nodeClass: string): Promise<E.Either<'none' | 'away', NodeDefinitions>> => {
    const answer = await definitionOfClass(rest, nodeClass);
    if (E.isRight(answer)) return answer;
    return E.left(answer.left._tag === 'NotSupported' ? 'none' : 'away');
  };
  const definitionOf = async (nodeClass: string): Promise<E.Either<'none' | 'away', NodeDefinitions>> => {
    const pending = classes.get(nodeClass) ?? ask(nodeClass);
    classes.set(nodeClass, pending);
    const answer = await pending;
    if (E.isLeft(answer)) classes.delete(nodeClass);
    return answer;
  };

  /** What the server puts in place of classes that it lacks, and the definitions of these. */
  const withReplacements = async (
    found: NodeDefinitions,
    lacking: readonly string[],
  ): Promise<{ readonly table: unknown; readonly definitions: NodeDefinitions }> => {
    const answer = await rest.nodeReplacements()();
    const table = E.isRight(answer) ? answer.right : {};
    const others = await Promise.all(newClassesOf(lacking, table).map(definitionOf));
    return { table, definitions: joined([found, ...others.filter(E.isRight).map(({ right }) => right)]) };
  };

  const read = async ({ needs, classes: names }: Work, workflow: Workflow): Promise<boolean> => {
    const answers = await Promise.all(names.map(definitionOf));
    if (answers.some((answer) => E.isLeft(answer) && answer.left === 'away')) return false;
    const isOpen = answers.some(E.isLeft);
    const found = joined(answers.map((answer) => (E.isRight(answer) ? answer.right : {})));
    const lacking = isOpen ? [] : names.filter((name) => !Object.hasOwn(found, name));
    const { table, definitions } =
      lacking.length === 0 ? { table: {}, definitions: found } : await withReplacements(found, lacking);
    learnedAt.last = clock.now();
    const sent = workflowAsChecked(workflow, definitions, table);
    const problems = isOpen ? [] : await inSlices(refusals(sent, definitions), clock);
    if (known.size >= maxKnown) known.clear();
    known.set(needs, problems.length === 0 ? { _tag: 'able' } : { _tag: 'unable', problems });
    return true;
  };

  return {
    of: ({ needs }) => known.get(needs) ?? { _tag: 'unknown' },
    learn: (work, workflow) => {
      if (known.has(work.needs)) return Promise.resolve(true);
      const pending = asked.get(work.needs) ?? read(work, workflow).finally(() => asked.delete(work.needs));
      asked.set(work.needs, pending);
      return pending;
    },
    forgetRefusals: () => {
      const refused = [...known].filter(([, { _tag }]) => _tag === 'unable');
      if (refused.length === 0 || clock.now() - learnedAt.last < freshForMs) return;
      for (const [needs] of refused) known.delete(needs);
      classes.clear();
    },
    shown: () => capabilitiesOf([...known.values()].map(verdictOf)),
    forget: () => {
      classes.clear();
      known.clear();
    },
  };
};

/** An empty text for work that a server can run, else why it can't. */
export const verdictOf = (capability: Capability): string =>
  capability._tag === 'unable'
    ? cutText(
        capability.problems
          .slice(0, 3)
          .map(({ message }) => message)
          .join(' '),
        500,
      )
    : '';

const maxKnown = 1_000;

const freshForMs = 10_000;

/**
 * The problems that only this server may have: a class, a choice or a model that it lacks. A file that it can still get, such as a picture,
 * is not among them.
 */
function* refusals(workflow: Workflow, definitions: NodeDefinitions): Steps<readonly Problem[]> {
  const missing = Object.entries(workflow)
    .filter(([, node]) => !Object.hasOwn(definitions, node.class_type))
    .map(([nodeId, node]) => missingClass(nodeId, node.class_type));
  if (missing.length > 0) return missing;
  return (yield* validating(workflow, definitions, {})).filter(
    ({ type, severity, serverOnly, input = '' }) =>
      type === 'value_not_in_list' &&
      severity === 'error' &&
      (serverOnly !== true || input.endsWith('_name')),
  );
}

const missingClass = (nodeId: string, className: string): Problem => ({
  nodeId,
  type: 'missing_node_type',
  severity: 'error',
  message: `Node ${nodeId}: the server has no class ${className}.`,
});
