import type { Duration, Durations } from './durations.js';
import { type Guess, guess, isStep, largeSteps } from './guess.js';
import type { JobPlan, PlannedNode } from '../state/job-plan.js';
import { checksumOf } from './model-names.js';
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

/** The key of how many times as long as supposed the machine takes, in thousandths. */
const speedKey = ' speed';

/** What takes less is not noticeable by itself. */
const leastMs = 50;

/** How far off at least a duration is of a class that was measured with other models alone. */
const leastOfClass = 0.5;

/** How far off a duration is that depends on a picture of unknown size. */
const unsizedSpread = 0.6;

/**
 * What these nodes of a workflow are expected to take: what was measured of the same class and size; else of the class, by the steps and
 * pictures that the inputs name; else what is supposed of the class on a machine as fast as this one has been; else no time, as most nodes.
 *
 * @param nodeIds - The nodes that will run, each before those that it takes something from.
 * @param pictures - The megapixels of pictures that inputs may name.
 */
export const planOf = (
  workflow: Workflow,
  nodeIds: readonly string[],
  durations: Pick<Durations, 'get'>,
  pictures: ReadonlyMap<string, number> = new Map(),
): { readonly plan: JobPlan; readonly measured: ReadonlyMap<string, Measured> } => {
  const sizes = nodeSizes(workflow, nodeIds, pictures);
  const measured = new Map<string, Measured>();
  const kinds = new Map<string, number>();
  const nodes: PlannedNode[] = [];
  let restMs = 0;
  for (const nodeId of nodeIds) {
    const classType = String(workflow[nodeId]?.class_type);
    const size = sizes.get(nodeId);
    if (size === undefined) continue;
    const node = measuredAs(classType, size);
    measured.set(nodeId, node);
    const kind = kinds.get(classType) ?? kinds.size;
    kinds.set(classType, kind);
    const planned = plannedAs(node, size, durations);
    if (planned.ms < leastMs) restMs += planned.ms;
    else nodes.push({ nodeId, kind, ...planned, ms: Math.round(planned.ms) });
  }
  const jobMs = durations.get(jobKey)?.ms;
  const plan = {
    nodes,
    ...(jobMs !== undefined && { jobMs }),
    ...(restMs >= leastMs && { restMs: Math.round(restMs) }),
  };
  return { plan, measured };
};

const plannedAs = (
  node: Measured,
  size: NodeSize,
  durations: Pick<Durations, 'get'>,
): Omit<PlannedNode, 'nodeId' | 'kind'> => {
  const per = node.supposed?.per;
  const { ms, spread } = expected(node, durations);
  const unsized = size.isUnsized && isSized(node.supposed);
  const stepMs = durations.get(`${node.ofModels} step`)?.ms;
  const steps = isStep(per) && reportsSteps(node, durations) ? size.steps : undefined;
  const passes = passesOf(node, durations);
  return {
    ms,
    spread: unsized ? Math.max(spread, unsizedSpread) : spread,
    ...(steps !== undefined && { steps }),
    ...(passes !== undefined && { passes }),
    ...(stepMs !== undefined && { stepMs }),
    ...(unsized && { unsized }),
    ...(per === 'load' && { loads: true }),
  };
};

/**
 * Takes what a node took.
 *
 * @param passes - How many times as long as its steps said.
 * @param wholeMs - With what it loaded before its first step: the first time a model, which the next time is in memory.
 */
export const learn = (
  durations: Durations,
  node: Measured,
  {
    ms,
    wholeMs,
    steps,
    passes = 1,
  }: { readonly ms: number; readonly wholeMs: number; readonly steps: number; readonly passes?: number },
): void => {
  const { key, ofModels, ofClass, units, supposed } = node;
  // The steps of a sampler are of any size, so that only their number is kept.
  if (steps > 1 && isStep(supposed?.per)) durations.add(stepsKey(ofClass), steps);
  else if (steps > 1) durations.add(`${ofModels} step`, ms / steps);
  if (passes > leastPasses || passesOf(node, durations) !== undefined)
    for (const of of [key, ofClass]) durations.add(passesKey(of), passes);
  const isKnown = durations.get(key) !== undefined;
  durations.add(key, isKnown ? wholeMs : ms, { replaces: supposed?.per === 'load' });
  // The second time a model is loaded says nothing of another one.
  if (supposed?.per === 'load' && isKnown) return;
  durations.add(ofModels, ms / units);
  durations.add(ofClass, ms / units);
  if (supposed !== undefined) learnSpeed(durations, supposed, ms / units);
};

/** Takes how fast the machine is, where a class depends on that. */
const learnSpeed = (durations: Durations, supposed: Guess, ms: number): void => {
  if (!isSized(supposed) && !isStep(supposed.per)) return;
  const factor = ms / supposed.ms / (supposed.passes ?? 1);
  // Models differ more in their steps than machines do, so that those of a sampler say only half as much of the machine.
  durations.add(speedKey, 1000 * (isStep(supposed.per) ? Math.sqrt(factor) : factor), { memory: 10 });
};

/** A node that takes longer than its steps by this has counted them more than once. */
const leastPasses = 1.5;

const passesKey = (of: string): string => `${of} passes`;

/** How often a node counts its steps, as far as that is known of it or supposed. */
const passesOf = (
  { key, ofClass, supposed }: Measured,
  durations: Pick<Durations, 'get'>,
): number | undefined =>
  (durations.get(passesKey(key)) ?? durations.get(passesKey(ofClass)))?.ms ?? supposed?.passes;

const stepsKey = (ofClass: string): string => `${ofClass} steps`;

/** Whether nodes of a class that samples have reported their steps, or none has run yet. */
const reportsSteps = ({ ofClass }: Measured, durations: Pick<Durations, 'get'>): boolean =>
  durations.get(ofClass) === undefined || durations.get(stepsKey(ofClass)) !== undefined;

/** Whether the work depends on the size of pictures. */
const isSized = (supposed: Guess | undefined): boolean =>
  supposed?.per === 'picture' || supposed?.per === 'step';

/** The power of pixels by which a step costs more: what looks at all of a picture costs more than in proportion. */
const stepPower = 1.15;

const measuredAs = (
  classType: string,
  { steps = 20, evaluations, pixels = 1, pictures, latents, isLarge, names }: NodeSize,
): Measured => {
  const supposed = guess(classType, isLarge);
  const ofModels = `${classType} ${checksumOf(names)}`;
  const perStep =
    steps *
    evaluations *
    (isLarge ? largeSteps : 1) *
    (supposed?.per === 'part' ? 1 : (pixels * latents) ** stepPower);
  return {
    key: `${ofModels} ${Number((pixels * pictures * steps * evaluations).toPrecision(6))}`,
    ofModels,
    ofClass: classType,
    units: isStep(supposed?.per) ? perStep : isSized(supposed) ? pixels * pictures : 1,
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
  if (sameClass !== undefined) {
    const { ms, spread } = times(sameClass, units, 0.8);
    return { ms, spread: Math.max(spread, leastOfClass) };
  }
  if (supposed === undefined) return { ms: 0, spread: 1 };
  const speed = isSized(supposed) || isStep(supposed.per) ? speedBy(durations) : 1;
  return { ms: supposed.ms * units * speed * (supposed.passes ?? 1), spread: 0.8 };
};

const speedBy = (durations: Pick<Durations, 'get'>): number => (durations.get(speedKey)?.ms ?? 1000) / 1000;

/** The spread is at first what it mostly is, and then what was measured. */
const times = (
  { ms, spread, count }: Duration,
  units: number,
  usual: number,
): { readonly ms: number; readonly spread: number } => ({
  ms: ms * units,
  spread: (spread * (count - 1) + usual) / count,
});
