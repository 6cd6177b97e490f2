import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitOfCheck, sizeOf } from '../../../src/cli/commands/check.js';

const report = (more: object = {}) =>
  exitOfCheck({
    ...{ verdict: 'accepted', problems: [], missingClasses: [], missingModels: [], unknownModels: [] },
    ...{ replaced: [], uploads: [], paidNodes: [], plan: { paidNodes: 'open' } },
    ...more,
  } as never);

describe('the end of a check', () => {
  it('is well where the service takes all of it', () => {
    expect(report()).toBe('done');
    expect(report({ uploads: [{ isTooLarge: false }], unknownModels: [{}] })).toBe('done');
  });

  it('is one of billing where the account may not run its paid nodes', () => {
    const [paidNodes, refused] = [[{}], { paidNodes: 'refused' }];
    expect(report({ paidNodes, plan: refused })).toBe('billing');
    expect(report({ paidNodes, plan: refused, verdict: 'refused' })).toBe('billing');
    expect([report({ paidNodes }), report({ plan: refused })]).toEqual(['done', 'done']);
  });

  it('is a wrong use where the service has no node classes', () => {
    expect(report({ verdict: 'unknown', missingModels: [{}] })).toBe('usage');
  });

  it.each([
    { verdict: 'refused' },
    { verdict: 'partly' },
    { missingModels: [{}] },
    { uploads: [{ isTooLarge: false }, { isTooLarge: true }] },
  ])('is an invalid workflow where something is lacking: %o', (more) => {
    expect(report(more)).toBe('invalidWorkflow');
  });
});

it('a file to upload is looked for as an input names it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub', 'a.png'), 'four');
  await writeFile(join(folder, 'b [input].png'), 'longer');
  expect(
    await Promise.all(
      ['sub/a.png', 'sub/a.png [input]', 'b [input].png', 'sub', 'none.png'].map((name) =>
        sizeOf(folder, name),
      ),
    ),
  ).toEqual([4, 4, 6, undefined, undefined]);
});
