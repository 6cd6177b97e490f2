import { isJsonObject } from '../../core/protocol/json/json.js';
import { isUi } from '../tell-format.js';
import type { MissingClass, NeededUpload, PreflightReport } from './report.js';
import { findModels } from './models.js';
import type { PreflightFacts } from './facts.js';
import { namedFiles } from './named-files.js';
import { neededUploads } from './needed-uploads.js';
import type { NodeDefinitions } from '../definitions.js';
import { listAt, objectOf, ownOf } from '../values.js';
import { packFinder } from '../validate/pack-of.js';
import { packsInFile } from './nodes-in-file.js';
import { paidNodes } from './paid-nodes.js';
import { planOf } from './plan.js';
import type { Problem } from '../../core/protocol/problem.js';
import { reportWithoutClasses } from './report-without-classes.js';
import { replaceClasses } from './replace-classes.js';
import { done, type Steps } from '../../core/protocol/steps.js';
import { runningNodes } from './running-nodes.js';
import { converting } from '../convert/to-api-workflow.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';
import { validating } from '../validate/validate-workflow.js';
import type { Verdict } from '../validate/verdict.js';
import { deciding } from '../validate/verdict-of.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Says whether a workflow can run on a service and what it takes, before it costs anything: what is missing there, what has to be uploaded,
 * what is paid, and what the service would do with it.
 *
 * The workflow is in API format, or a file of the editor, which is converted. The report is as good as its facts: fetch the node classes
 * with `userModels: true`, so that models of the account's own are listed. `client.preflight` gathers the facts. It never throws, and
 * changes nothing.
 *
 * @param definitions - The service's `object_info`, as `client.rest.objectInfo()` gives it; undefined if it gives none, whose report has
 * what the workflow itself tells, and the verdict `unknown`.
 *
 * @example
 * ```ts
 * import { preflightReport, type NodeDefinitions, type UiWorkflow } from 'promptwire/workflow';
 *
 * const toInstall = (file: UiWorkflow, definitions: NodeDefinitions): string[] =>
 *   preflightReport(file, definitions).missingClasses.map(({ className, pack }) => pack ?? className);
 * ```
 */
export const preflightReport = (
  workflow: Workflow | UiWorkflow,
  definitions: NodeDefinitions | undefined,
  facts: PreflightFacts = {},
): PreflightReport => done(reporting(workflow, definitions, facts));

/** The steps of {@link preflightReport}. */
export function* reporting(
  workflow: Workflow | UiWorkflow,
  definitions: NodeDefinitions | undefined,
  facts: PreflightFacts,
): Steps<PreflightReport> {
  if (definitions === undefined) return reportWithoutClasses(workflow, facts);
  const { files = {}, rules } = facts;
  const known = objectOf(definitions);
  const ui = isUi(workflow) ? workflow : facts.ui;
  const converted = isUi(workflow) ? yield* converting(workflow, known, {}) : { workflow, problems: [] };
  const given = isNodes(converted.workflow) ? converted.workflow : {};
  yield;
  const { workflow: sent, replaced } = replaceClasses(given, known, facts.replacements);
  yield;
  const missingClasses = classesMissingIn(sent, known, ui);
  // Nodes that no target needs don't run, but a class that is missing refuses them all.
  const targets = missingClasses.length === 0 ? facts.targets : undefined;
  yield;
  const running = runningNodes(sent, known, targets);
  const checked = targets === undefined ? sent : onlyOf(sent, running);
  yield;
  const found = namedFiles(sent, known, running);
  const plan = planOf(facts.features);
  const uploads = neededUploads(found, files, plan.maxUploadBytes);
  yield;
  const paid = paidNodes(sent, known, targets);
  const isReplaced = new Set<string | undefined>(replaced.map(({ nodeId }) => nodeId));
  const willBeThere = filledBy(uploads);
  const problems = [
    ...converted.problems.filter(({ nodeId }) => !isReplaced.has(nodeId)),
    ...(converted.workflow === undefined ? [] : yield* validating(checked, known, { rules })),
  ].filter((problem) => !willBeThere(problem));
  yield;
  const { missing, unknown } = findModels(found, ui, facts.models);
  const isRefused =
    converted.workflow === undefined ||
    replaced.some(({ breaks }) => breaks === 'always') ||
    uploads.some(({ isTooLarge }) => isTooLarge) ||
    (paid.length > 0 && plan.paidNodes === 'refused');
  return {
    verdict: isRefused ? 'refused' : yield* decided(checked, known, problems),
    ...(converted.workflow !== undefined && { workflow: converted.workflow }),
    ...{ problems, missingClasses, missingModels: missing, unknownModels: unknown },
    ...{ paidNodes: paid, plan, uploads, replaced },
  };
}

const onlyOf = (workflow: Workflow, ids: ReadonlySet<string>): Workflow =>
  Object.fromEntries(Object.entries(workflow).filter(([id]) => ids.has(id)));

const isNodes = (workflow: unknown): workflow is Workflow =>
  isJsonObject(workflow) && Object.values(workflow).every(isJsonObject);

/** Only what the definitions decide counts: a file that the list lacks may have come meanwhile. */
const decided = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  problems: readonly Problem[],
): Steps<Verdict> =>
  deciding(
    workflow,
    definitions,
    problems.filter(({ serverOnly }) => serverOnly !== true),
  );

const classesMissingIn = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  ui: UiWorkflow | undefined,
): readonly MissingClass[] => {
  const nodesOf = new Map<string, string[]>();
  for (const [nodeId, { class_type: className }] of Object.entries(workflow))
    if (typeof className === 'string' && !isJsonObject(ownOf(definitions, className)))
      listAt(nodesOf, className).push(nodeId);
  if (nodesOf.size === 0) return [];
  const byFile = ui === undefined ? undefined : packsInFile(ui);
  const likely = packFinder(definitions);
  return Array.from(nodesOf, ([className, nodeIds]) => {
    const pack = byFile?.get(className) ?? likely(className)?.name;
    return { className, nodeIds, ...(pack !== undefined && { pack }) };
  });
};

/** Whether a problem is of an input that one of these uploads will fill. */
const filledBy = (uploads: readonly NeededUpload[]): ((problem: Problem) => boolean) => {
  const places = new Set(
    uploads.flatMap(({ nodeId, input, bytes }) =>
      bytes === undefined ? [] : [JSON.stringify([nodeId, input])],
    ),
  );
  return ({ nodeId, input }) => places.size > 0 && places.has(JSON.stringify([nodeId, input]));
};
