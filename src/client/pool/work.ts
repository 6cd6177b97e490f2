import { durations } from '../../core/estimate/durations.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { nodesToRun } from '../../core/state/initial-job-state.js';
import { maxPlanned, planOf } from '../../core/estimate/plan-of.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What a workflow asks of a server, read once for each job. */
export interface Work {
  /** Equal for workflows of the same classes, models and sizes, whatever their texts and seeds are. */
  readonly shape: string;
  /** The models that its loaders name. */
  readonly models: readonly string[];
  /** Its classes. */
  readonly classes: readonly string[];
  /** Equal for workflows that the same servers can run: classes, and names of models and other files. */
  readonly needs: string;
  /** How long it takes on an unknown machine, without loading; in milliseconds. */
  readonly guessMs: number;
  /** How long it takes there to load one of its models, in milliseconds. */
  readonly guessLoadMs: number;
}

/** Reads what a workflow asks of a server. Never fails: of what is no workflow nothing is known, and the server refuses it. */
export const workOf = (workflow: Workflow, targets?: readonly string[]): Work => {
  const nodeIds = nodesToRun(workflow, undefined, targets);
  const { plan, measured } = planOf(workflow, nodeIds.length > maxPlanned ? [] : nodeIds, durations());
  const loads = plan.nodes.filter((node) => node.loads);
  const models = sorted(nodesOf(workflow).flatMap(modelsOf));
  const classes = sorted(nodesOf(workflow).map(classOf));
  const needs = sorted([...classes, ...nodesOf(workflow).flatMap(namesOf)]).join('\n');
  const sizes = [...measured.values()].map(({ key }) => key).toSorted();
  return {
    shape: sizes.length === 0 ? needs : sizes.join('\n'),
    models,
    classes,
    needs,
    guessMs: Math.max(minMs, sum(plan.nodes) - sum(loads)),
    guessLoadMs: models.length === 0 ? 0 : sum(loads) / models.length,
  };
};

const minMs = 100;

const sum = (nodes: readonly { readonly ms: number }[]): number => nodes.reduce((all, { ms }) => all + ms, 0);

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();

const nodesOf = (workflow: Workflow): readonly unknown[] => Object.values(workflow);

const classOf = (node: unknown): string => (isJsonObject(node) ? String(node['class_type']) : '');

const textsOf = (node: unknown): readonly (readonly [name: string, text: string])[] =>
  isJsonObject(node) && isJsonObject(node['inputs'])
    ? Object.entries(node['inputs']).filter(
        (input): input is [string, string] => typeof input[1] === 'string',
      )
    : [];

/** `ckpt_name`, `lora_name`, … of a loader. */
const modelsOf = (node: unknown): readonly string[] =>
  /Load/u.test(classOf(node))
    ? textsOf(node)
        .filter(([name]) => name.endsWith('_name'))
        .map(([, text]) => text)
    : [];

/** Texts that one server may have and another lack: those of inputs named `…_name`, and names of files. */
const namesOf = (node: unknown): readonly string[] =>
  textsOf(node)
    .filter(([name, text]) => name.endsWith('_name') || /\.\w{2,11}$/u.test(text))
    .map(([name, text]) => `${classOf(node)}.${name}=${text.slice(0, 300)}`);
