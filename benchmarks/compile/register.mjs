import module from 'node:module';
import { load, resolve } from './hooks.mjs';

/*
 * Compiles TypeScript for the benchmarks: `node --import ./benchmarks/compile/register.mjs program.ts`.
 *
 * `tsx` would name every function at each of its creations, which no published program does: it makes code of many
 * closures, ours above all, up to twice as slow.
 */
if (typeof module.registerHooks === 'function') module.registerHooks({ load, resolve });
// Node 20 has only these hooks, in a thread of their own; later ones warn of them.
else module.register('./hooks.mjs', import.meta.url);
