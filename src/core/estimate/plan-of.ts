import type { Duration, Durations } from './durations.js';
import { type Guess, guess, isStep, largeSteps, largeTexts } from './guess.js';
import { minGuessSpread } from './factors.js';
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

/** What takes less is not noticeable by itself, but for so large a share of a short job. */
const minMs = 50;
const shareOfShort = 0.05;

/** What a node takes that does nothing noticeable: the service announces it, runs it and keeps its outputs. */
const instantMs = 5;

/** How far off at least a duration is of a class that was measured with other models alone. */
const minClassSpread = 0.5;

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
  const all: PlannedNode[] = [];
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
    if (planned.ms <= instantMs) restMs += instantMs;
    else all.push({ nodeId, kind, ...planned });
  }
  const least = Math.min(minMs, shareOfShort * all.reduce((sum, { ms }) => sum + ms, restMs));
  for (const { ms } of all) if (ms < least) restMs += ms;
  const jobMs = durations.get(jobKey)?.ms;
  const plan = {
    nodes: all.filter(({ ms }) => ms >= least).map((node) => ({ ...node, ms: Math.round(node.ms) })),
    ...(jobMs !== undefined && { jobMs }),
    ...(restMs > 0 && { restMs: Math.round(restMs) }),
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
    ...(per === 'text' && spread > minGuessSpread && { texts: true }),
    ...loading(node, size, durations),
  };
};

/** Whether a node loads a model, or moves one to the card that has not sampled yet. */
const loading = (
  { supposed, ofModels }: Measured,
  { isLarge }: NodeSize,
  durations: Pick<Durations, 'get'>,
): Pick<PlannedNode, 'loads' | 'leadMs'> => {
  if (supposed?.per === 'load') return { loads: true };
  const isMoved = supposed?.per === 'step' && durations.get(ofModels) === undefined;
  return isMoved ? { leadMs: isLarge ? largeLeadMs : leadMs } : {};
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
  learnPasses(durations, node, passes);
  const isKnown = durations.get(key) !== undefined;
  durations.add(key, isKnown ? wholeMs : ms, { replaces: supposed?.per === 'load' });
  // The second time a model is loaded says nothing of another one.
  if (supposed?.per === 'load' && isKnown) return;
  durations.add(ofModels, ms / units);
  durations.add(ofClass, ms / units);
  if (supposed !== undefined) learnSpeed(durations, supposed, ms / units / Math.max(1, passes));
};

/** Takes how often a node has counted its steps, where nodes of its class may do so more than once. */
const learnPasses = (durations: Durations, { key, ofClass, supposed }: Measured, passes: number): void => {
  if (supposed?.per === 'part' || passes > minPasses || durations.get(passesKey(ofClass)) !== undefined)
    for (const of of [key, ofClass]) durations.add(passesKey(of), passes);
};

/** Takes how fast the machine is, where a class depends on that. */
const learnSpeed = (durations: Durations, supposed: Guess, ms: number): void => {
  if (!isSized(supposed) && !isStep(supposed.per)) return;
  const factor = ms / supposed.ms;
  // Models differ more in their steps than machines do, so that those of a sampler say only half as much of the machine.
  durations.add(speedKey, 1000 * (isStep(supposed.per) ? Math.sqrt(factor) : factor), { memory: 10 });
};

/** What it takes to move a model to the card before its first step: some gigabytes, and more of a large one. */
const leadMs = 1_000;
const largeLeadMs = 2_000;

/** A node that takes longer than its steps by this has counted them more than once. */
const minPasses = 1.5;

const passesKey = (of: string): string => `${of} passes`;

/** How often a node counts its steps, as far as that was measured: of the same size, else of the class. Undefined for once. */
const passesOf = ({ key, ofClass }: Measured, durations: Pick<Durations, 'get'>): number | undefined => {
  const ofNode = durations.get(passesKey(key));
  const passes = ofNode?.ms ?? usualPasses(durations.get(passesKey(ofClass)));
  return passes < minPasses ? undefined : passes;
};

/** Most pictures show one face. It counts as two measured ones, and there are no halves. */
const usualPasses = (measured: Duration | undefined): number =>
  measured === undefined ? 1 : Math.round((measured.ms * measured.count + 2) / (measured.count + 2));

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
  const supposed = guess(classType);
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
    units: unitsOf(supposed, { perStep, perPicture: pixels * pictures, isLarge }),
    supposed,
  };
};

const unitsOf = (
  supposed: Guess | undefined,
  {
    perStep,
    perPicture,
    isLarge,
  }: { readonly perStep: number; readonly perPicture: number; readonly isLarge: boolean },
): number => {
  if (isStep(supposed?.per)) return perStep;
  if (isSized(supposed)) return perPicture;
  return supposed?.per === 'text' && isLarge ? largeTexts : 1;
};

const expected = (
  node: Measured,
  durations: Pick<Durations, 'get'>,
): { readonly ms: number; readonly spread: number } => {
  const { key, ofModels, ofClass, units, supposed } = node;
  const same = durations.get(key);
  // A model that was loaded once is still in memory, perhaps.
  if (same !== undefined && supposed?.per === 'load' && same.count === 1)
    return { ms: same.ms / 3, spread: 0.8 };
  if (same !== undefined) return times(same, 1, 0.15);
  const sameModels = durations.get(ofModels);
  const all = units * passesByMean(node, durations);
  if (sameModels !== undefined) return times(sameModels, all, 0.25);
  const sameClass = supposed?.ms === 0 ? undefined : durations.get(ofClass);
  if (sameClass !== undefined) {
    const { ms, spread } = times(sameClass, all, 0.8);
    return { ms, spread: Math.max(spread, minClassSpread) };
  }
  if (supposed === undefined) return { ms: 0, spread: 1 };
  const speed = isSized(supposed) || isStep(supposed.per) ? speedBy(durations) : 1;
  return { ms: supposed.ms * units * speed, spread: 0.8 };
};

/** The passes of a node by those that nodes of its class had on average, of which its mean duration was measured. */
const passesByMean = (node: Measured, durations: Pick<Durations, 'get'>): number =>
  (passesOf(node, durations) ?? 1) / (durations.get(passesKey(node.ofClass))?.ms ?? 1);

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
