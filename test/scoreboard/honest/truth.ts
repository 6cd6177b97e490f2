import { type Family, type Machine, middling } from './machine.js';
import type { Random } from '../../simulation/random.js';

/** One node of a generated job: what the workflow says of it, and what it does on a machine. */
export interface TrueNode {
  readonly id: string;
  readonly classType: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly does: Task;
}

/** What a node does. */
export type Task =
  | { readonly is: 'nothing' }
  /** Reads megabytes from the disk, once. */
  | { readonly is: 'loading'; readonly mb: number }
  | { readonly is: 'encoding a text'; readonly family: Family }
  | {
      readonly is: 'sampling';
      readonly family: Family;
      readonly steps: number;
      readonly mp: number;
      readonly pictures: number;
      readonly evaluations: number;
    }
  | { readonly is: 'decoding'; readonly family: Family; readonly mp: number; readonly pictures: number }
  /** By tiles, which are its steps. */
  | { readonly is: 'enlarging'; readonly mp: number; readonly pictures: number }
  | { readonly is: 'saving'; readonly mp: number; readonly pictures: number }
  /** Writes frames, which are its steps. */
  | { readonly is: 'writing frames'; readonly mp: number; readonly pictures: number }
  /** Finds faces, and samples each of them anew: its steps begin again with each face. */
  | { readonly is: 'retouching'; readonly family: Family; readonly steps: number; readonly faces: number }
  /** Something of its own, of so many seconds on a middling machine. */
  | { readonly is: 'custom'; readonly seconds: number };

/** What a node takes: `leadMs` before its first step, then its steps one after the other; without steps its time is the lead. */
export interface TrueTime {
  readonly leadMs: number;
  readonly stepsMs: readonly number[];
  /** The steps of one pass, after which the service counts from 1 again; absent where all are one pass. */
  readonly ofPass?: number;
}

/** What has happened on a machine before. */
export interface Warmth {
  readonly loaded: Set<string>;
  /** The family whose model is on the card. */
  onCard: string | undefined;
}

/** Draws what a node takes this time. */
export const timeOf = (
  { id, inputs, does }: TrueNode,
  {
    machine,
    random,
    warmth,
    job,
  }: { readonly machine: Machine; readonly random: Random; readonly warmth: Warmth; readonly job: number },
): TrueTime => {
  const about = (seconds: number, spread = 0.06): number =>
    1000 * seconds * job * Math.exp(spread * normal(random)) + 2;
  const tflop = (work: number): number => work / machine.teraflops;
  const movedTo = (family: Family): number => {
    const seconds = warmth.onCard === family.name ? 0 : family.mb / machine.busMb;
    warmth.onCard = family.name;
    return seconds;
  };
  switch (does.is) {
    case 'nothing':
      return { leadMs: 1 + 12 * random.next(), stepsMs: [] };
    case 'loading': {
      const model = `${id} ${JSON.stringify(inputs)}`;
      const isFirst = !warmth.loaded.has(model);
      warmth.loaded.add(model);
      return { leadMs: about(does.mb / (isFirst ? machine.diskMb : 9_000) + 0.2, 0.1), stepsMs: [] };
    }
    case 'encoding a text':
      return {
        leadMs: about(tflop(does.family.textTflop) + does.family.encoderMb / machine.busMb),
        stepsMs: [],
      };
    case 'sampling': {
      const { family, steps, mp, pictures, evaluations } = does;
      const moves = movedTo(family);
      const latents = Math.ceil(pictures / family.framesPerLatent);
      const step = tflop(family.stepTflop * (mp * latents) ** family.power) * evaluations + 0.015;
      return {
        leadMs: about(moves + 0.1),
        stepsMs: Array.from({ length: steps }, () => about(step, 0.03)),
      };
    }
    case 'decoding':
      return { leadMs: about(tflop(does.family.decodeTflop * does.mp * does.pictures) + 0.05), stepsMs: [] };
    case 'enlarging': {
      const tiles = Math.max(1, Math.round(does.mp * 4)) * does.pictures;
      return { leadMs: about(0.2), stepsMs: Array.from({ length: tiles }, () => about(tflop(9), 0.05)) };
    }
    case 'saving':
      return { leadMs: about((does.mp * does.pictures) / machine.encodedMp, 0.08), stepsMs: [] };
    case 'writing frames': {
      const frame = does.mp / machine.encodedMp;
      return {
        leadMs: about(0.2),
        stepsMs: Array.from({ length: does.pictures }, () => about(frame, 0.05)),
      };
    }
    case 'retouching': {
      const { family, steps, faces } = does;
      const [step, decoding] = [tflop(family.stepTflop) + 0.015, tflop(family.decodeTflop)];
      return {
        leadMs: about(movedTo(family) + tflop(middling * 0.5)),
        stepsMs: Array.from({ length: faces * steps }, (_, nth) =>
          about(step + (nth > 0 && nth % steps === 0 ? 2 * decoding : 0), 0.03),
        ),
        ofPass: steps,
      };
    }
    case 'custom':
      return { leadMs: about((does.seconds * middling) / machine.teraflops, 0.15), stepsMs: [] };
  }
};

/** A number of the normal distribution. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
