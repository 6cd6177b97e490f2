import * as diagnostics from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import fc from 'fast-check';
import { activeMs } from './active-time.js';
import { root } from './config.js';
import { playground } from './suite.js';

/** What is played by a player: tests, and the modules that mutants are put in, as they are. */
export interface Stage {
  readonly bundle: string;
  readonly modules: Readonly<Record<string, string>>;
}

/** Tests of a file, by their numbers; all without a list. */
export interface FilePlan {
  readonly file: string;
  readonly tests?: readonly number[] | undefined;
  readonly testMs: Readonly<Record<number, number>>;
}

/** What the player is asked: to play these files, in this order, until a test fails, with other code of some modules. */
export interface Play {
  readonly changed: Readonly<Record<string, string>>;
  readonly files: readonly FilePlan[];
}

/** What it sends after each file that it played. */
export interface FilePlayed {
  readonly file: string;
}

/** Which functions ran, as `module#number`, and how long it took. */
export interface Ran {
  readonly hits: readonly string[];
  readonly ms: number;
}

/** What it answers: the test that failed, if one did, and of each file what ran in each test and outside of them. */
export interface Played {
  readonly failed?: string | undefined;
  readonly failedFile?: string | undefined;
  readonly isStray: boolean;
  readonly ran: Readonly<
    Record<string, { readonly outside: Ran; readonly tests: Readonly<Record<number, Ran>> }>
  >;
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

/**
 * Each play has channels of its own, which Node forgets once nobody listens; as late as when the next play has made another one of the
 * name, which it forgets then. So one of each name is kept.
 */
const kept = new Set<diagnostics.Channel>();
const keep = (name: string | symbol): diagnostics.Channel => {
  const channel = diagnostics.channel(name);
  kept.add(channel);
  return channel;
};
const keptDiagnostics = {
  ...diagnostics,
  channel: keep,
  subscribe: (name: string | symbol, listener: diagnostics.ChannelListener) => {
    keep(name);
    diagnostics.subscribe(name, listener);
  },
};

const load: (name: string) => unknown = createRequire(join(root, 'package.json'));
// A test may put another in its place.
const { setImmediate } = globalThis;

type Start = (...given: readonly unknown[]) => void;
const compiled = (code: string, names: readonly string[]): Start =>
  vm.compileFunction(code, [...names], {
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as Start;
const moduleCode = (code: string): Start => compiled(code, ['module', 'exports', 'require', 'hit']);

let startBundle: Start = () => undefined;
let modules = new Map<string, Start>();
const setStage = (stage: Stage): void => {
  startBundle = compiled(stage.bundle, ['require', 'module', 'exports', 'mutated']);
  modules = new Map(Object.entries(stage.modules).map(([name, code]) => [name, moduleCode(code)]));
};

interface Bundle {
  readonly files: Record<string, () => Promise<unknown>>;
  readonly closeAll: () => Promise<void>;
}

interface Imports {
  readonly [name: string]: () => unknown;
}

const bundled = (changed: Play['changed'], vitest: object, hit: (name: string) => void): Bundle => {
  const codes = new Map(modules);
  for (const [name, code] of Object.entries(changed)) codes.set(name, moduleCode(code));
  const mutated = (name: string, module: { exports: object }, imports: Imports): void =>
    codes.get(name)?.(
      module,
      module.exports,
      (imported: string) => imports[imported]?.(),
      (number: number) => hit(`${name}#${number}`),
    );
  const replacements = new Map<string, unknown>([
    ['vitest', vitest],
    ['node:diagnostics_channel', keptDiagnostics],
    ['fast-check', { __esModule: true, ...fc, default: { ...fc, assert: fewer }, assert: fewer }],
  ]);
  const module = { exports: {} as Bundle };
  startBundle(
    (name: string): unknown => replacements.get(name) ?? load(name),
    module,
    module.exports,
    mutated,
  );
  return module.exports;
};

const play = async ({ changed, files }: Play): Promise<Played> => {
  const { vitest, play: playFile } = playground();
  let stray: string | undefined;
  const note = (cause: unknown): void => {
    stray ??= `unhandled: ${String(cause)}`;
  };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  const ran: Record<string, { outside: Ran; tests: Record<number, Ran> }> = {};
  let hits = new Set<string>();
  let failed: string | undefined;
  let failedFile: string | undefined;
  try {
    const bundle = bundled(changed, vitest, (name) => hits.add(name));
    for (const { file, tests, testMs } of files) {
      const outside = (hits = new Set());
      const byTest: Record<number, Ran> = {};
      const began = activeMs();
      failed = await playFile(bundle.files[file]!, {
        tests,
        withinMs: (index) => 1_000 + 6 * (testMs[index] ?? 3_000),
        onTest: () => {
          hits = new Set();
        },
        onTestEnd: (index, ms) => {
          byTest[index] = { hits: [...hits], ms };
          hits = outside;
        },
      });
      await bundle.closeAll();
      ran[file] = { outside: { hits: [...outside], ms: activeMs() - began }, tests: byTest };
      process.send?.({ file });
      // Unhandled rejections are noticed at the end of a turn.
      await new Promise((resolve) => setImmediate(resolve));
      if ((failed ?? stray) !== undefined) {
        failedFile = file;
        break;
      }
    }
  } catch (cause) {
    failed = `the code: ${String(cause)}`;
  }
  process.off('uncaughtException', note).off('unhandledRejection', note);
  return { failed: failed ?? stray, failedFile, isStray: failed === undefined && stray !== undefined, ran };
};

// What an earlier mutant left behind is no failure of the next one.
process.on('uncaughtException', () => undefined).on('unhandledRejection', () => undefined);
process.on('message', (asked: Stage | Play) => {
  if ('bundle' in asked) setStage(asked);
  else void play(asked).then((played) => process.send?.(played));
});
// The run has ended, perhaps by a signal, which does not reach this group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.send?.('ready');
