import type { Figure, Range, Tally } from './figure.js';
import { opinionsOf } from '../workflow/validate/agreement.js';
import { watchProcess } from './process-health.js';

/** The emulator's validation and the client's, which share no code. */
export const validatorsAgree: Figure = {
  id: 'validators-agree',
  what: 'workflows of the emulator’s classes with up to four mistakes, validated by the emulator and by the client',
  target: 'the same verdict, nodes, types and inputs in 10,000; each verdict ≥ 1,000 times',
  count: 10_000,
  splits: true,
  run: (range) => compareValidators(range),
  shortfalls: ({ counts }, count) =>
    ['accepted', 'partly', 'refused']
      .filter((verdict) => (counts[verdict] ?? 0) < count / 10 && count >= 1000)
      .map((verdict) => `few were ${verdict}`),
};

const compareValidators = async ({ from, count }: Range): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts: Record<string, number> = {
    workflows: count,
    differences: 0,
    accepted: 0,
    partly: 0,
    refused: 0,
  };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const { emulator, client } = opinionsOf(seed);
    counts[client.verdict]! += 1;
    const [theirs, ours] = [JSON.stringify(emulator), JSON.stringify(client)];
    if (theirs === ours) continue;
    counts['differences']! += 1;
    problems.push(
      `the emulator says ${theirs}, the client ${ours}; npm run replay -- validators-agree --seed ${seed}`,
    );
  }
  return { counts, problems: [...problems.slice(0, 5), ...(await seenByProcess())] };
};
