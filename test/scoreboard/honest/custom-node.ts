import type { Family } from './machine.js';
import type { Random } from '../../simulation/random.js';
import type { Task, TrueNode } from './truth.js';

/** A node of another package that takes a noticeable time: what it names in its inputs, and what it does. */
export interface CustomNode {
  readonly classType: string;
  readonly inputs: TrueNode['inputs'];
  readonly does: Task;
}

/** Restores a picture with a model of its own, which samples it anew. */
const restoring: Family = {
  name: 'restoring',
  mb: 5_300,
  encoderMb: 0,
  vaeMb: 0,
  stepTflop: 16,
  power: 1.1,
  decodeTflop: 10,
  textTflop: 1.5,
  framesPerLatent: 1,
};

/** The seconds of nodes that look at a picture or change it, without a step in between: these packages report one picture as one step. */
const ofPictures: Readonly<Record<string, number>> = {
  SAM2Segment: 1.5,
  DWPreprocessor: 1,
  ColorMatch: 0.3,
  Florence2Run: 2.5,
  RMBG: 0.8,
  INPAINT_InpaintWithModel: 1.2,
};

/** The names of classes of {@link customNode}. */
export const customClasses = ['FaceDetailer', 'SUPIR_sample', ...Object.keys(ofPictures)];

/** Draws one node of a class. */
export const customNode = (random: Random, classType: string, family: Family): CustomNode => {
  if (classType === 'FaceDetailer') {
    const steps = random.between(15, 25);
    const method = random.pick(['euler', 'dpmpp_2m']);
    const inputs = { steps, cfg: 7, denoise: 0.5, guide_size: 512, max_size: 1024, sampler_name: method };
    return { classType, inputs, does: { is: 'retouching', family, steps, faces: random.pick([1, 1, 2, 3]) } };
  }
  if (classType === 'SUPIR_sample') {
    const steps = random.between(30, 45);
    const inputs = { steps, cfg_scale_end: 4, sampler: 'RestoreEDMSampler' };
    const does: Task = {
      ...{ is: 'sampling', family: restoring, steps, mp: 1, pictures: 1, evaluations: 2 },
    };
    return { classType, inputs, does };
  }
  return { classType, inputs: {}, does: { is: 'custom', seconds: ofPictures[classType] ?? 0 } };
};
