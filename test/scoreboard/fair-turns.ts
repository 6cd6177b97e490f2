import type { Figure, Range, Tally } from './figure.js';
import { begunBefore, openStores, sharesOf, turnsBehind } from './queue/play-turns.js';
import { randomOf } from '../simulation/random.js';

const cases = 20;
const [many, tenants, slots] = [1_000, 1_000, 5];
const mostTurns = 2;

/** Whose turn it is. */
export const fairTurns: Figure = {
  id: 'fair-turns',
  what: `a tenant with one job behind one with ${many}, and ${tenants} tenants with the weights 1 and 3, on a real Redis server; the first of them also by two workers with ${slots} slots, of an account and over three servers`,
  target: `the one job waits for ${mostTurns} turns of each slot at most; the shares of the weights are within 10 %`,
  count: cases,
  splits: false,
  // A few cases beside other tests are of smaller tenants as well.
  run: (range) => (range.count < cases ? playTurns(range, 100, 100) : playTurns(range, many, tenants)),
};

/** Plays so many cases of one job behind others, and tenants with weights once. */
export const playTurns = async ({ from, count }: Range, others: number, weighted: number): Promise<Tally> => {
  await using stores = await openStores();
  const problems: string[] = [];
  let mostWaited = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const turns = await turnsBehind(stores.open(`behind ${seed}`), others, randomOf(seed));
    mostWaited = Math.max(mostWaited, turns);
    if (turns > mostTurns) problems.push(`seed ${seed}: the one job waited for ${turns} turns`);
  }
  const { light, heavy } = await sharesOf(stores.open('weights'), weighted);
  const off = [...light.map((turns) => turns / 10), ...heavy.map((turns) => turns / 30)].map((share) =>
    Math.abs(share - 1),
  );
  const worst = Math.max(...off);
  if (worst > 0.1 + Number.EPSILON) problems.push(`a share is off by ${Math.round(worst * 100)} %`);
  const begun = await begunBefore(slots, others);
  if (begun > mostTurns * slots) problems.push(`${begun} jobs began before the one, by workers`);
  const begunThere = await begunBefore(slots, others, 'servers');
  if (begunThere > mostTurns * slots) problems.push(`${begunThere} jobs began before the one, over servers`);
  return {
    counts: {
      'most turns waited': mostWaited,
      'worst share off by %': Math.round(worst * 100),
      'jobs begun before, by workers': begun,
      'jobs begun before, over servers': begunThere,
    },
    problems: problems.map((problem) => `${problem}; npm run scoreboard -- fair-turns`),
  };
};
