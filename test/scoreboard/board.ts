import type { DerivedFigure, Figure } from './figure.js';
import { d1 } from './d1.js';
import { d2 } from './d2.js';
import { d3 } from './d3.js';
import { d5 } from './d5.js';
import { d7 } from './d7.js';
import { d4 } from './d4.js';
import { d6 } from './d6.js';
import { d8 } from './d8.js';
import { g1 } from './g1.js';
import { g2 } from './g2.js';
import { g3 } from './g3.js';
import { g4 } from './g4.js';
import { g5 } from './g5.js';
import { g6 } from './g6.js';
import { g7 } from './g7.js';
import { g8 } from './g8.js';
import { g9 } from './g9.js';
import { s1 } from './s1.js';
import { s10 } from './s10.js';
import { s11 } from './s11.js';
import { s12 } from './s12.js';
import { s13 } from './s13.js';
import { s14 } from './s14.js';
import { s16 } from './s16.js';
import { s17 } from './s17.js';
import { s18 } from './s18.js';
import { s19 } from './s19.js';
import { s2 } from './s2.js';
import { s21 } from './s21.js';
import { s22 } from './s22.js';
import { s23 } from './s23.js';
import { s25 } from './s25.js';
import { s26 } from './s26.js';
import { s27 } from './s27.js';
import { s3 } from './s3.js';
import { s4 } from './s4.js';
import { s5 } from './s5.js';
import { s6 } from './s6.js';
import { s7 } from './s7.js';
import { s8, s8Cases } from './s8.js';
import { w1 } from './w1.js';
import { w2 } from './w2.js';
import { w3 } from './w3.js';
import { w4 } from './w4.js';
import { w5 } from './w5.js';
import { w8 } from './w8.js';

const ofClient: readonly Figure[] = [
  s27,
  s1,
  s23,
  s22,
  s12,
  s21,
  s11,
  s3,
  s7,
  s4,
  s5,
  s10,
  s8Cases,
  s17,
  s26,
  s16,
  s25,
  s18,
  s13,
  s14,
];

const ofWorkflows: readonly Figure[] = [w2, w3, w4, w1, w5, w8];

const ofGateway: readonly Figure[] = [g1, g2, g5, g7, g6, g8, g9, g3, g4];

// What mostly waits takes no place, but would begin only once those before it have one.
const ofQueue: readonly Figure[] = [d5, d3, d1, d2, d7, d6, d4, d8];

/** The figures that are run, the longest first in each group. */
export const figures: readonly Figure[] = [...ofClient, ...ofWorkflows, ...ofGateway, ...ofQueue];

/** The figures that are read from others. */
export const derivedFigures: readonly DerivedFigure[] = [s2, s6, s8, s19];

const idsOf = (list: readonly Pick<Figure, 'id' | 'isPart'>[]): readonly string[] =>
  list.filter(({ isPart }) => isPart !== true).map(({ id }) => id);

/** The parts of the board, each of which a run may name. `client` is the board itself; the others have runs of their own. */
export const groups: Readonly<Record<'client' | 'workflow' | 'gateway' | 'queue', readonly string[]>> = {
  client: [...idsOf(ofClient), ...idsOf(derivedFigures)],
  workflow: idsOf(ofWorkflows),
  gateway: idsOf(ofGateway),
  queue: idsOf(ofQueue),
};
