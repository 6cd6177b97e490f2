import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Benchmark, Row } from './row.js';
import { buildPackage } from './tools/built.js';
import { inTurns } from './tools/in-turns.js';

/** What a program waits for before its first line. */
export const start: Benchmark = {
  name: 'start',
  title:
    'Import and `createClient` in a new process, from the built package. Baseline: importing rxjs, ws and undici alone.',
  run: async () => {
    const built = await buildPackage();
    const ours = `const { createClient } = await import(${JSON.stringify(new URL('node.js', built).href)}); createClient({ baseUrl: 'https://service.example' });`;
    const floor = "await import('rxjs'); await import('ws'); await import('undici');";
    return [
      await measure('the imports', insideProcess, ours, floor),
      await measure('the whole process', wholeProcess, ours, floor),
    ];
  },
};

type Timing = (program: string) => () => Promise<number>;

const measure = async (what: string, timing: Timing, ours: string, floor: string): Promise<Row> => {
  const turns = await inTurns({ promptwire: timing(ours), floor: timing(floor) }, { rounds: 15 });
  return {
    what,
    unit: 'ms',
    ours: turns.seconds('promptwire') * 1000,
    baseline: turns.seconds('floor') * 1000,
    ratio: turns.ratio('promptwire', 'floor'),
    target: { atMost: 1.35 },
  };
};

const cwd = fileURLToPath(new URL('..', import.meta.url));

const run = async (program: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
  });
  return stdout;
};

const insideProcess: Timing = (program) => async () =>
  Number(
    await run(
      `const started = performance.now(); ${program} console.log((performance.now() - started) / 1000); process.exit(0);`,
    ),
  );

const wholeProcess: Timing = (program) => async () => {
  const started = performance.now();
  await run(`${program} process.exit(0);`);
  return (performance.now() - started) / 1000;
};
