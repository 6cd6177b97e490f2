import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'test', 'README.md'), 'utf8');
const named = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => [...line.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name));

const sources = ['test', 'src/testing', 'src/emulator'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8')),
);

const exists = (name: string): boolean =>
  ['test', '.'].some(
    (folder) => existsSync(join(root, folder, name)) || existsSync(join(root, folder, `${name}.ts`)),
  ) || sources.some((source) => new RegExp(`export (?:const|interface) ${name}\\b`, 'u').test(source));

it('the page of fakes names what there is', () => {
  const known = ['Platform', 'Rest', 'Client', 'promptwire/testing'];
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !known.includes(name) && !exists(name))).toEqual([]);
});
