import { customClasses } from './custom-node.js';
import type { Random } from '../../simulation/random.js';

/** Teraflops of a middling machine. */
export const middling = 14;

/** A machine that runs jobs: what one of its parts does in a second. */
export interface Machine {
  /** Megabytes that it reads from its disk, and moves to its graphics card. */
  readonly diskMb: number;
  readonly busMb: number;
  /** Teraflops in practice. */
  readonly teraflops: number;
  /** Megapixels that its processor encodes. */
  readonly encodedMp: number;
}

/** A family of models. */
export interface Family {
  readonly name: string;
  readonly mb: number;
  readonly encoderMb: number;
  readonly vaeMb: number;
  /** Teraflop of a step over a megapixel, and by which power more pixels cost more. */
  readonly stepTflop: number;
  readonly power: number;
  /** Teraflop to decode a megapixel, and to encode a text. */
  readonly decodeTflop: number;
  readonly textTflop: number;
  /** Pictures that count as one: what a video model compresses time by. */
  readonly framesPerLatent: number;
}

const families: readonly Family[] = [
  {
    name: 'small',
    mb: 2_100,
    encoderMb: 0,
    vaeMb: 0,
    stepTflop: 6,
    power: 1.2,
    decodeTflop: 9,
    textTflop: 0.3,
    framesPerLatent: 1,
  },
  {
    name: 'middle',
    mb: 6_900,
    encoderMb: 0,
    vaeMb: 0,
    stepTflop: 12,
    power: 1.1,
    decodeTflop: 10,
    textTflop: 1.5,
    framesPerLatent: 1,
  },
  {
    name: 'large',
    mb: 12_000,
    encoderMb: 5_000,
    vaeMb: 330,
    stepTflop: 45,
    power: 1.1,
    decodeTflop: 10,
    textTflop: 9,
    framesPerLatent: 1,
  },
  {
    name: 'moving',
    mb: 14_000,
    encoderMb: 6_700,
    vaeMb: 250,
    stepTflop: 40,
    power: 1.15,
    decodeTflop: 7,
    textTflop: 9,
    framesPerLatent: 4,
  },
];

/** What one user makes: with one model or two, and with or without videos. */
export interface Taste {
  readonly families: readonly Family[];
  readonly video: Family | undefined;
  /** Costly classes of other packages. */
  readonly costly: readonly string[];
}

export const drawTaste = (random: Random): Taste => {
  const [small, middle, large, moving] = families as readonly [Family, Family, Family, Family];
  const family = random.pick([small, middle, large]);
  const other = random.pick([small, middle, large]);
  return {
    families: random.chance(0.7) ? [family] : [family, other],
    video: random.chance(0.3) ? moving : undefined,
    costly: [random.pick(customClasses), random.pick(customClasses)],
  };
};

/** A number whose logarithm is spread evenly. */
const between = (random: Random, least: number, most: number): number =>
  least * (most / least) ** random.next();

export const drawMachine = (random: Random): Machine => ({
  diskMb: between(random, 800, 4_000),
  busMb: between(random, 3_000, 12_000),
  teraflops: between(random, 5, 40),
  encodedMp: between(random, 3, 12),
});
