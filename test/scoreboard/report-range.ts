import { inspect } from 'node:util';
import { openSinks } from '../helpers/sinks.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';

/** Plays a range of one figure in this process and reports, besides its tally, what the process showed and left unhandled. */
export const reportRange = async ({ id, run }: Pick<Figure, 'id' | 'run'>, range: Range): Promise<Tally> => {
  const unhandled = watchProcess();
  const close = openSinks();
  const tally = await run(range).catch((error: unknown) => broken(id, range, error));
  const seen = await unhandled();
  const shown = close();
  const of = (problem: string): string => `${id}: ${problem}`;
  return {
    ...tally,
    seen: {
      ...shown,
      leaks: shown.leaks.map(of),
      warnings: shown.warnings.map(of),
      processes: 1,
      unhandled: seen.map(of),
    },
  };
};

const broken = (id: string, { from, count }: Range, error: unknown): Tally => ({
  counts: {},
  problems: [`${id} ${from}–${from + count - 1} broke off: ${inspect(error).slice(0, 500)}`],
});
