import { register } from 'node:module';

/*
 * Compiles TypeScript for the benchmarks: `node --import ./benchmarks/compile/register.mjs program.ts`.
 *
 * `tsx` would name every function at each of its creations, which no published program does: it makes code of many
 * closures, ours above all, up to twice as slow.
 */
register('./hooks.mjs', import.meta.url);
