import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import fc from 'fast-check';
import { root } from './config.js';
import { playground } from './suite.js';

/** What the player is asked: to play these files of the code, in this order, until a test fails. */
export interface Play {
  readonly code: string;
  readonly files: readonly string[];
}

/** What it sends after each file that it played. */
export interface FilePlayed {
  readonly file: string;
}

/** What it answers: the test that failed, if one did, and how long each file took. */
export interface Played {
  readonly failed?: string | undefined;
  readonly isStray: boolean;
  readonly ms: Readonly<Record<string, number>>;
}

// The same cases each time, none of them shrunk, and not more than a mutant is worth.
fc.configureGlobal({ seed: 1, endOnFailure: true });
type Property = fc.IRawProperty<unknown>;
type Parameters = fc.Parameters<unknown>;
const mostRuns = 100;
const fewer = ((property: Property, parameters?: Parameters) =>
  fc.assert(property, {
    ...parameters,
    numRuns: Math.min(mostRuns, parameters?.numRuns ?? mostRuns),
  })) as typeof fc.assert;

const load: (name: string) => unknown = createRequire(join(root, 'package.json'));

const play = async ({ code, files }: Play): Promise<Played> => {
  const { vitest, play: playFile } = playground();
  let stray: string | undefined;
  const note = (cause: unknown): void => {
    stray ??= `unhandled: ${String(cause)}`;
  };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  const ms: Record<string, number> = {};
  let failed: string | undefined;
  try {
    const module = { exports: {} as { files: Record<string, () => Promise<unknown>> } };
    const start = vm.compileFunction(code, ['require', 'module', 'exports'], {
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }) as (...given: readonly unknown[]) => void;
    const replacements = new Map<string, unknown>([
      ['vitest', vitest],
      ['fast-check', { __esModule: true, ...fc, default: { ...fc, assert: fewer }, assert: fewer }],
    ]);
    start((name: string): unknown => replacements.get(name) ?? load(name), module, module.exports);
    for (const file of files) {
      const began = performance.now();
      failed = await playFile(module.exports.files[file]!);
      ms[file] = performance.now() - began;
      process.send?.({ file });
      // Unhandled rejections are noticed at the end of a turn.
      await new Promise((resolve) => setImmediate(resolve));
      if ((failed ?? stray) !== undefined) break;
    }
  } catch (cause) {
    failed = `the code: ${String(cause)}`;
  }
  process.off('uncaughtException', note).off('unhandledRejection', note);
  return { failed: failed ?? stray, isStray: failed === undefined && stray !== undefined, ms };
};

// What an earlier mutant left behind is no failure of the next one.
process.on('uncaughtException', () => undefined).on('unhandledRejection', () => undefined);
process.on('message', (asked: Play) => void play(asked).then((played) => process.send?.(played)));
// The run has ended, perhaps by a signal, which does not reach this group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.send?.('ready');
