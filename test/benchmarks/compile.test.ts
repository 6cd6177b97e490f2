import { expect, it } from 'vitest';
import { resolve } from '../../benchmarks/compile/hooks.mjs';

const next = (specifier: string): string => specifier;

it('finds the package by its own name in its sources, so that a benchmark needs no build', () => {
  const found = resolve('promptwire', { parentURL: import.meta.url }, next);
  expect(found).toBe(new URL('../../src/node.ts', import.meta.url).href);
});

it('leaves other packages as they are', () => {
  expect(resolve('rxjs', { parentURL: import.meta.url }, next)).toBe('rxjs');
});
