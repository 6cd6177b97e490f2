import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allCases } from '../../src/testing/conformance/all-cases.js';
import { allV2Cases } from './v2/all-v2-cases.js';
import { conformanceRows } from './rows.js';
import { localCases } from '../../src/testing/conformance/dialects/local-cases.js';
import { v2Cases } from '../../src/testing/conformance/dialects/v2-cases.js';

const text = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');

describe('docs/protocol.md and the conformance cases', () => {
  const statements = [...text.matchAll(/\*\*\[(\d[\d.]*)\]\*\*/g)].map(([, id]) => id ?? '');
  const localStatements = [...text.matchAll(/\*\*\[(L\.\d+)\]\*\*( \(local\))?/g)];
  const v2Statements = [
    ...text.matchAll(/\*\*\[(V\.\d+\.\d+)\]\*\* \((contract|SDK|pages|proxy|assumed)\)/g),
  ].map(([, id]) => id ?? '');
  const caseIds = allCases.map(({ id }) => id);

  it('numbers every statement once', () => {
    expect(statements.length).toBeGreaterThan(130);
    expect(statements).toEqual([...new Set(statements)]);
  });

  it('has a case for every statement', () => {
    expect(statements.filter((id) => !caseIds.includes(id))).toEqual([]);
  });

  it('has a statement for every case', () => {
    expect(caseIds.filter((id) => !statements.includes(id))).toEqual([]);
  });

  it('refers only to statements that exist', () => {
    const references = [...text.matchAll(/(?<!\*\*)\[((?:[LV]|\d+)\.[\d.]*\d)\](?!\()/g)].map(
      ([, id]) => id ?? '',
    );
    const known = [...statements, ...localStatements.map(([, id]) => id ?? ''), ...v2Statements];
    expect(references.filter((id) => !known.includes(id))).toEqual([]);
  });

  it('marks every statement of the local dialect, and numbers it once', () => {
    expect(localStatements.length).toBeGreaterThan(20);
    expect(localStatements.filter(([, , mark]) => mark === undefined)).toEqual([]);
    const ids = localStatements.map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('has a check, or a reason why there is none, for every statement of an engine', () => {
    expect(localCases.map(({ id }) => id).toSorted()).toEqual(localStatements.map(([, id]) => id).toSorted());
  });

  it('has a check, or a reason why there is none, for every statement of API v2', () => {
    expect(v2Cases.map(({ id }) => id).toSorted()).toEqual(v2Statements.toSorted());
  });

  it('numbers every statement of API v2 once and says how sure it is', () => {
    expect(v2Statements).toEqual([...new Set(v2Statements)]);
    expect(v2Statements).toHaveLength([...text.matchAll(/\*\*\[V\./g)].length);
    expect(v2Statements.length).toBeGreaterThan(50);
  });

  it('has one case for every statement of API v2', () => {
    expect(allV2Cases.map(({ id }) => id)).toEqual(v2Statements);
  });

  it('has a case for every row of the interface, and none for another', () => {
    const vouched = new Set(allCases.flatMap(({ rows = [] }) => rows));
    expect([...vouched].sort()).toEqual([...conformanceRows].sort());
  });

  it.each([
    ['endpoint', 12],
    ['event', 11],
    ['binary', 3],
    ['state', 5],
    ['exception', 6],
    ['status', 5],
    ['tier', 4],
  ])('knows the rows of kind %s: %i', (kind, howMany) => {
    expect(conformanceRows.filter((row) => row.startsWith(`${kind}:`))).toHaveLength(howMany);
  });

  it.each(conformanceRows)('names %s', (row) => {
    const [, name = ''] = row.split(/:(.*)/);
    expect(text).toMatch(
      row.startsWith('binary:') ? `### Type ${name}:` : new RegExp(`[\`(| ]${escape(name)}[\`)| :]`),
    );
  });
});

const escape = (name: string): string => name.replaceAll(/[{}/]/g, '\\$&');
