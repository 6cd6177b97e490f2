import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Range, Tally } from './figure.js';

/** What Node has to take for an end: rejections that nothing handles, and deprecations. */
export const strictFlags = ['--unhandled-rejections=strict', '--throw-deprecation'] as const;

/** Simulations drop almost all that they make, so that young objects with more room are collected less often. */
export const roomyFlags = ['--min-semi-space-size=16', '--max-semi-space-size=32'] as const;

/** The program that plays a range. */
export const runRange = join(import.meta.dirname, 'run-range.ts');

const root = join(import.meta.dirname, '..', '..');

/**
 * Plays a range of a figure in a process of its own, by a program in one piece (see `bundleProgram`); a process that ends
 * otherwise than by a tally is a problem.
 */
export const playRange = async (id: string, { from, count }: Range, program: string): Promise<Tally> => {
  try {
    const running = promisify(execFile)(
      process.execPath,
      [
        '--expose-gc',
        ...strictFlags,
        ...roomyFlags,
        '--input-type=module',
        '-',
        id,
        String(from),
        String(count),
      ],
      { cwd: root, maxBuffer: 256 * 1024 * 1024 },
    );
    running.child.stdin?.end(program);
    const { stdout, stderr } = await running;
    const tally = JSON.parse(stdout) as Tally;
    const said = stderr.trim().split('\n', 3).join(' ');
    if (said === '') return tally;
    const { seen = nothing } = tally;
    return { ...tally, seen: { ...seen, unhandled: [...seen.unhandled, `${id}: standard error: ${said}`] } };
  } catch (error) {
    const problem = `${id} ${from}–${from + count - 1} ended without a tally: ${String(error).slice(0, 500)}`;
    return { counts: {}, problems: [problem], seen: { ...nothing, unhandled: [problem] } };
  }
};

const nothing = { bytes: 0, things: 0, programs: 0, processes: 1, leaks: [], warnings: [], unhandled: [] };
