import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Range } from '../scoreboard/figure.js';
import { roomyFlags } from '../scoreboard/play-range.js';
import { bundle } from './bundle.js';
import type { Mutant } from './mutant.js';

/** What a figure found, and in which of the ranges that it was given; both absent where it found nothing. */
export interface Finding {
  readonly place?: number;
  readonly problem?: string;
}

/** Plays ranges of a figure, of the source as it is or with a mutant in it, in a process of its own. */
export const playFigure = async (
  figure: string,
  ranges: readonly Range[],
  mutant?: Mutant,
): Promise<Finding> => {
  const code = await bundle(mutant);
  const child = spawn(
    process.execPath,
    ['--expose-gc', ...roomyFlags, '--input-type=module', '-', figure, JSON.stringify(ranges)],
    { cwd: join(import.meta.dirname, '..', '..'), timeout: 240_000 },
  );
  child.stdin.end(code);
  const [out, err, exit] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  if (exit === 0 && out !== '') return JSON.parse(out) as Finding;
  if (exit === null) throw new Error(`${figure} with ${mutant?.id ?? 'no mutant'} did not come to an end.`);
  // A mutant may end the process, or leave it waiting for ever.
  return { place: 0, problem: `the process broke off: ${err.trim().slice(-300)}` };
};
