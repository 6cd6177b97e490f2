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
import { runningNodes } from './running-nodes.js';
import { toApiWorkflow } from '../convert/to-api-workflow.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';
import { validateWorkflow } from '../validate/validate-workflow.js';
import type { Verdict } from '../validate/verdict.js';
import { verdictOf } from '../validate/verdict-of.js';
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
): PreflightReport =>
  definitions === undefined
    ? reportWithoutClasses(workflow, facts)
    : reportByClasses(workflow, definitions, facts);

const reportByClasses = (
  workflow: Workflow | UiWorkflow,
  definitions: NodeDefinitions,
  facts: PreflightFacts,
): PreflightReport => {
  const { files = {}, rules } = facts;
  const known = objectOf(definitions);
  const ui = isUi(workflow) ? workflow : facts.ui;
  const converted = isUi(workflow) ? toApiWorkflow(workflow, known) : { workflow, problems: [] };
  const given = isNodes(converted.workflow) ? converted.workflow : {};
  const { workflow: sent, replaced } = replaceClasses(given, known, facts.replacements);
  const missingClasses = classesMissingIn(sent, known, ui);
  // Nodes that no target needs don't run, but a class that is missing refuses them all.
  const targets = missingClasses.length === 0 ? facts.targets : undefined;
  const running = runningNodes(sent, known, targets);
  const checked = targets === undefined ? sent : onlyOf(sent, running);
  const found = namedFiles(sent, known, running);
  const plan = planOf(facts.features);
  const uploads = neededUploads(found, files, plan.maxUploadBytes);
  const paid = paidNodes(sent, known, targets);
  const problems = [
    ...converted.problems.filter(({ nodeId }) => !replaced.some((node) => node.nodeId === nodeId)),
    ...(converted.workflow === undefined ? [] : validateWorkflow(checked, known, { rules })),
  ].filter((problem) => !isFilledBy(problem, uploads));
  const { missing, unknown } = findModels(found, ui, facts.models);
  const isRefused =
    converted.workflow === undefined ||
    replaced.some(({ breaks }) => breaks === 'always') ||
    uploads.some(({ isTooLarge }) => isTooLarge) ||
    (paid.length > 0 && plan.paidNodes === 'refused');
  return {
    verdict: isRefused ? 'refused' : decided(checked, known, problems),
    ...(converted.workflow !== undefined && { workflow: converted.workflow }),
    ...{ problems, missingClasses, missingModels: missing, unknownModels: unknown },
    ...{ paidNodes: paid, plan, uploads, replaced },
  };
};

const onlyOf = (workflow: Workflow, ids: ReadonlySet<string>): Workflow =>
  Object.fromEntries(Object.entries(workflow).filter(([id]) => ids.has(id)));

const isNodes = (workflow: unknown): workflow is Workflow =>
  isJsonObject(workflow) && Object.values(workflow).every(isJsonObject);

/** Only what the definitions decide counts: a file that the list lacks may have come meanwhile. */
const decided = (workflow: Workflow, definitions: NodeDefinitions, problems: readonly Problem[]): Verdict =>
  verdictOf(
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

/** Whether a problem is of an input that an upload will fill. */
const isFilledBy = ({ nodeId, input }: Problem, uploads: readonly NeededUpload[]): boolean =>
  uploads.some((upload) => upload.nodeId === nodeId && upload.input === input && upload.bytes !== undefined);
