import { expect } from 'vitest';
import { codeOf, tableUnder } from './cli-docs.js';

type JsonLine = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Parses standard output and holds every line to the table of docs/cli-output.md: known kind, documented members, none missing. */
export const jsonLines = (stdout: string): readonly JsonLine[] => {
  expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
  const lines = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonLine);
  for (const line of lines) {
    const documented = members.get(line.kind);
    expect(documented, `docs/cli-output.md tells of ${line.kind}`).toBeDefined();
    const needed = documented?.filter((name) => !name.endsWith('?')) ?? [];
    const known = documented?.map((name) => name.replace('?', '')) ?? [];
    expect(Object.keys(line)).toEqual(expect.arrayContaining(['kind', ...needed]));
    expect(['kind', ...known]).toEqual(expect.arrayContaining(Object.keys(line)));
  }
  return lines;
};

/** The kinds that docs/cli-output.md tells of. */
export const documentedKinds = (): readonly string[] => [...members.keys()];

const members = new Map(
  tableUnder('## JSON lines', 'output').map(([kind, names = '']) => [
    codeOf(kind),
    [...names.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
  ]),
);
