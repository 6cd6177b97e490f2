import { randomInt } from 'node:crypto';
import { textToImageWorkflow } from '../../src/emulator.js';
import type { Graphs } from './target.js';

const seed = (): number => randomInt(2 ** 31 - 1);

const node = (classType: string, inputs: Readonly<Record<string, unknown>>) => ({
  class_type: classType,
  inputs,
});

const save = (from: string, prefix: string) =>
  node('SaveImage', { images: [from, 0], filename_prefix: prefix });

const pictureGraph = (steps = 4) => textToImageWorkflow({ width: 64, height: 64, steps, seed: seed() });

/** Graphs for an emulator that takes `stepMs` for a step of a node. */
export const emulatorGraphs = (stepMs: number): Graphs => ({
  picture: (steps) => ({ ...pictureGraph(steps) }),
  lasting: (ms) => ({ slow: node('SlowNode', { steps: Math.ceil(ms / stepMs), anything: seed() }) }),
  failing: () => ({
    fail: node('FailOnPurpose', { exception_type: 'RuntimeError', message: `as asked for, ${seed()}` }),
  }),
  invalid: () => ({ bad: node('SlowNode', { steps: -1 }) }),
  loading: (image) => ({ load: node('LoadImage', { image }), save: save('load', `loaded-${seed()}`) }),
  twoPictures: () => ({ ...pictureGraph(), other: save('8', `other-${seed()}`) }),
});
