import { VirtualTimeScheduler } from 'rxjs';
import { customClasses } from './custom-node.js';
import { drawGraph, type Graph } from './draw-graph.js';
import { drawMachine, drawTaste } from './machine.js';
import { jobDurations } from '../../../src/client/jobs/job-durations.js';
import { type JobRun, playJob } from './play-job.js';
import type { MakeProgress } from './play-job.js';
import type { Random } from '../../simulation/random.js';
import { timeOf, type TrueNode, type Warmth } from './truth.js';

export type { JobRun } from './play-job.js';

/** How often each run is looked at. */
const looks = 40;

/** Most jobs that a client has run before. */
const mostBefore = 8;

/** Runs a graph twice, by a client that may have run others, on a machine of its own. */
export const playTwice = (random: Random, makeProgress: MakeProgress): readonly [JobRun, JobRun] => {
  const machine = drawMachine(random);
  const taste = drawTaste(random);
  const scheduler = new VirtualTimeScheduler();
  const clock = { now: () => scheduler.now(), wall: () => 0, after: () => () => undefined };
  const durations = jobDurations({ clock }, undefined);
  const warmth: Warmth = { loaded: new Set(), onCard: undefined };
  const took: number[] = [];
  const hasRun = new Set<string>();
  const isKnown = (node: TrueNode): boolean => !isOfAnother(node) || hasRun.has(node.classType);
  const upload = ({ picture }: Graph): void => {
    // The others were there before this client.
    if (picture !== undefined && random.chance(0.75)) durations.uploaded(picture.name, pngHead(picture.mp));
  };
  const play = (graph: Graph, cached: ReadonlySet<string>, judged?: MakeProgress): JobRun => {
    // The machine is never quite as quick as the last time.
    const job = Math.exp(0.05 * (random.next() * 2 - 1));
    const toRun = graph.nodes.filter(({ id }) => !cached.has(id));
    const times = new Map(
      toRun.map((node) => [node.id, timeOf(node, { machine, random, warmth, job })] as const),
    );
    const run = playJob(
      {
        ...{ nodes: graph.nodes, times, cached, isKnown },
        before: jobsBefore(random, took),
        isExact: random.chance(0.5),
      },
      { scheduler, durations, makeProgress: judged },
      looks,
    );
    took.push(run.totalMs);
    for (const node of toRun) hasRun.add(node.classType);
    return run;
  };
  const earlier = random.below(mostBefore + 1);
  for (let nth = 0; nth < earlier; nth += 1) {
    const graph = drawGraph(random, taste);
    upload(graph);
    play(graph, new Set());
  }
  const graph = drawGraph(random, taste);
  upload(graph);
  return [play(graph, new Set(), makeProgress), play(graph, cachedParts(graph, random), makeProgress)];
};

const isOfAnother = ({ classType, does }: TrueNode): boolean =>
  does.is === 'custom' || customClasses.includes(classType);

/** The first bytes of a square PNG. */
const pngHead = (mp: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(24));
  const side = Math.round(Math.sqrt(mp * 1e6));
  view.setUint32(0, 0x89504e47);
  view.setUint32(16, side);
  view.setUint32(20, side);
  return new Uint8Array(view.buffer);
};

/** How long the jobs go on that wait before this one: about as long as others. */
const jobsBefore = (random: Random, took: readonly number[]): readonly number[] =>
  random.chance(0.6)
    ? []
    : Array.from(
        { length: random.between(1, 4) },
        () => (took.length > 0 ? random.pick(took) : 20_000) * (0.8 + 0.4 * random.next()),
      );

/** What does not depend on a node that changes: another seed, another picture, sometimes another text. */
const cachedParts = ({ nodes }: Graph, random: Random): ReadonlySet<string> => {
  const changes = ['KSampler', 'LoadImage', ...(random.chance(0.3) ? ['CLIPTextEncode'] : [])];
  const changed = new Set<string>();
  for (const { id, classType, inputs } of nodes) {
    const isLinked = Object.values(inputs).some(
      (value) => Array.isArray(value) && changed.has(String(value[0])),
    );
    if (changes.includes(classType) || isLinked) changed.add(id);
  }
  return new Set(nodes.map(({ id }) => id).filter((id) => !changed.has(id)));
};
