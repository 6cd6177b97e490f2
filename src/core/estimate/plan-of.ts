import type { Duration, Durations } from './durations.js';
import { type Guess, guess } from './guess.js';
import type { JobPlan, PlannedNode } from '../state/job-plan.js';
import { type NodeSize, nodeSizes } from './node-size.js';
import type { Workflow } from '../protocol/workflow.js';

/** One node of a job, as its duration is kept: by its class, models and size, and for one unit by class and models, and by class. */
export interface Measured {
  readonly key: string;
  readonly ofModels: string;
  readonly ofClass: string;
  readonly units: number;
  readonly supposed: Guess | undefined;
}

/** A graph of more nodes has no plan, which would keep a server's other jobs waiting: people draw some hundreds. */
export const maxPlanned = 2_000;

/** The key of the durations of whole jobs; no class has an empty name. */
export const jobKey = '';

/** The key of the durations of all classes of which nothing is supposed. */
const anyClass = ' ';

/** What a node of such a class takes before any was measured: most take no time, few a long one. */
const unknownMs = 300;

/** Less is not noticeable. */
const leastMs = 50;

/**
 * What these nodes of a workflow are expected to take: what was measured of the same class and size; else of the class, by the steps and
 * pictures that the inputs name; else what is supposed of the class; else the mean of all nodes.
 *
 * @param nodeIds - The nodes that will run, each before those that it takes something from.
 */
export const planOf = (
  workflow: Workflow,
  nodeIds: readonly string[],
  durations: Pick<Durations, 'get'>,
): { readonly plan: JobPlan; readonly measured: ReadonlyMap<string, Measured> } => {
  const sizes = nodeSizes(workflow, nodeIds);
  const measured = new Map<string, Measured>();
  const kinds = new Map<string, number>();
  const nodes: PlannedNode[] = [];
  for (const nodeId of nodeIds) {
    const classType = String(workflow[nodeId]?.class_type);
    const size = sizes.get(nodeId);
    if (size === undefined) continue;
    const node = measuredAs(classType, size);
    measured.set(nodeId, node);
    const { supposed } = node;
    const { ms, spread } = expected(node, durations);
    const stepMs = durations.get(`${node.ofModels} step`)?.ms;
    const kind = kinds.get(classType) ?? kinds.size;
    kinds.set(classType, kind);
    if (ms < leastMs) continue;
    nodes.push({
      nodeId,
      ms: Math.round(ms),
      spread,
      kind,
      ...(supposed?.per === 'step' && size.steps !== undefined && { steps: size.steps }),
      ...(stepMs !== undefined && { stepMs }),
      ...(supposed?.per === 'load' && { loads: true }),
    });
  }
  const jobMs = durations.get(jobKey)?.ms;
  return { plan: { nodes, ...(jobMs !== undefined && { jobMs }) }, measured };
};

/**
 * Takes what a node took.
 *
 * @param wholeMs - With what it loaded before its first step: the first time a model, which the next time is in memory.
 */
export const learn = (
  durations: Durations,
  { key, ofModels, ofClass, units, supposed }: Measured,
  { ms, wholeMs, steps }: { readonly ms: number; readonly wholeMs: number; readonly steps: number },
): void => {
  // The steps of a sampler are of any size.
  if (steps > 1 && supposed?.per !== 'step') durations.add(`${ofModels} step`, ms / steps);
  const isKnown = durations.get(key) !== undefined;
  durations.add(key, isKnown ? wholeMs : ms, { replaces: supposed?.per === 'load' });
  if (supposed === undefined) durations.add(anyClass, ms, { memory: 100 });
  // The second time a model is loaded says nothing of another one.
  if (supposed?.per === 'load' && isKnown) return;
  durations.add(ofModels, ms / units);
  durations.add(ofClass, ms / units);
};

const measuredAs = (
  classType: string,
  { steps = 20, evaluations, pixels, pictures, names }: NodeSize,
): Measured => {
  const supposed = guess(classType);
  const isSized = supposed?.per === 'picture' || supposed?.per === 'step';
  const units = isSized ? pixels * pictures * (supposed.per === 'step' ? steps * evaluations : 1) : 1;
  return {
    key: `${classType} ${names} ${Number((pixels * pictures * steps * evaluations).toPrecision(6))}`,
    ofModels: `${classType} ${names}`,
    ofClass: classType,
    units,
    supposed,
  };
};

const expected = (
  { key, ofModels, ofClass, units, supposed }: Measured,
  durations: Pick<Durations, 'get'>,
): { readonly ms: number; readonly spread: number } => {
  const same = durations.get(key);
  // A model that was loaded once is still in memory, perhaps.
  if (same !== undefined && supposed?.per === 'load' && same.count === 1)
    return { ms: same.ms / 3, spread: 0.8 };
  if (same !== undefined) return times(same, 1, 0.15);
  const sameModels = durations.get(ofModels);
  if (sameModels !== undefined) return times(sameModels, units, 0.25);
  const sameClass = supposed?.ms === 0 ? undefined : durations.get(ofClass);
  if (sameClass !== undefined) return times(sameClass, units, 0.8);
  if (supposed !== undefined) return { ms: supposed.ms * units, spread: 0.8 };
  return { ms: durations.get(anyClass)?.ms ?? unknownMs, spread: 1 };
};

/** The spread is at first what it mostly is, and then what was measured. */
const times = (
  { ms, spread, count }: Duration,
  units: number,
  usual: number,
): { readonly ms: number; readonly spread: number } => ({
  ms: ms * units,
  spread: (spread * (count - 1) + usual) / count,
});
