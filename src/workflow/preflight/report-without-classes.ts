import { fileInputs } from '../validate/file-checks.js';
import { findModels } from './models.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { isUi } from '../tell-format.js';
import { modelFile, type NamedFile } from './named-files.js';
import { neededUploads } from './needed-uploads.js';
import { objectOf } from '../values.js';
import type { PreflightFacts } from './facts.js';
import type { PreflightReport } from './report.js';
import { planOf } from './plan.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * The report of a workflow at a service that gives no node classes: what the workflow itself tells. Classes, prices and replacements stay
 * unknown, so that it is never `accepted`.
 */
export const reportWithoutClasses = (
  workflow: Workflow | UiWorkflow,
  { ui, files = {}, models, features }: PreflightFacts,
): PreflightReport => {
  const given = isUi(workflow) ? undefined : workflow;
  const plan = planOf(features);
  const found = Object.entries(given ?? {}).flatMap(([nodeId, node]) => filesOf(nodeId, node));
  const uploads = neededUploads(found, files, plan.maxUploadBytes);
  const { missing, unknown } = findModels([], isUi(workflow) ? workflow : ui, models);
  const named = found
    .filter(({ isUploaded }) => !isUploaded)
    .map(({ nodeId, input, name }) => ({ name, nodeId, input }));
  return {
    verdict: uploads.some(({ isTooLarge }) => isTooLarge) ? 'refused' : 'unknown',
    ...(given !== undefined && { workflow: given }),
    problems: [
      {
        ...{ type: 'not_validated', severity: 'warning' },
        message: 'The workflow was not checked, because the service gives no node classes.',
      },
    ],
    ...{ missingClasses: [], missingModels: missing, unknownModels: [...named, ...unknown] },
    ...{ paidNodes: [], plan, uploads, replaced: [] },
  };
};

/** Files that the inputs of a node name: what the engine's own loaders take, and what has the extension of a model. */
const filesOf = (nodeId: string, node: unknown): readonly NamedFile[] => {
  const { class_type: className, inputs } = objectOf(node);
  return Object.entries(isJsonObject(inputs) ? inputs : {}).flatMap(([input, name]) => {
    if (typeof name !== 'string' || name === '') return [];
    const isUploaded = fileInputs.get(String(className)) === input;
    return isUploaded || modelFile.test(name) ? [{ nodeId, input, name, isUploaded, isListed: false }] : [];
  });
};
