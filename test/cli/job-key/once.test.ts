import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { left, right } from 'fp-ts/lib/Either.js';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { openKeyedSubmission, submitOnce } from '../../../src/cli/job-key/once.js';
import { readJobRecord, recordFile } from '../../../src/cli/job-key/job-record.js';
import { serviceError } from '../../../src/node.js';
import { tmpdir } from 'node:os';
import { UsageError } from '../../../src/cli/cli-io.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-once-'));
});
afterEach(() => rm(folder, { recursive: true }));

const workflow = { 1: { class_type: 'A', inputs: { seed: 2n ** 60n } } };
const open = (more: Partial<Parameters<typeof openKeyedSubmission>[0]> = {}) =>
  openKeyedSubmission({
    ...{ folder, jobKey: 'k', baseUrl: 'https://me:secret@a.example/base//?x=1', workflow, reach: ' -x' },
    ...more,
  });
const recordPath = () => recordFile(folder, 'k').path;
const kept = async () => JSON.parse(await readFile(recordPath(), 'utf8')) as Record<string, unknown>;

describe('the submission of a job key', () => {
  it('J4: is recorded before it and after it, for its owner alone, without credentials or the key itself', async () => {
    const first = await open();
    expect(first.promptId).toBeUndefined();
    await first.begin();
    expect(await kept()).toEqual({
      service: 'https://a.example/base',
      workflow: expect.stringMatching(/^[\da-f]{64}$/u) as string,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
    });
    await first.accepted('p');
    expect((await kept())['promptId']).toBe('p');
    expect((await open()).promptId).toBe('p');
    expect((await stat(recordPath())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'jobs'))).mode & 0o777).toBe(0o700);
    const names = await readdir(join(folder, 'jobs'));
    expect([names.length, names[0]?.includes('k')]).toEqual([1, false]);
    expect((await readFile(recordPath(), 'utf8')).endsWith('}\n')).toBe(true);
  });

  it('J4: is another one’s once that one has begun, and free again once it was refused', async () => {
    const [first, second] = [await open(), await open()];
    await first.begin();
    await expect(second.begin()).rejects.toMatchObject({
      ...{ _tag: 'OutcomeUnknown', candidates: [] },
      hint: expect.stringContaining(`delete ${recordPath()} and`) as string,
    });
    const startedAt = String((await kept())['startedAt']);
    await expect(open()).rejects.toMatchObject({
      ...{ _tag: 'OutcomeUnknown', startedAt: Date.parse(startedAt) },
      message: expect.stringContaining(` at ${startedAt} and`) as string,
    });
    await first.refused();
    await second.begin();
  });

  it('J4: belongs to one workflow and one service', async () => {
    const first = await open();
    await first.begin();
    await first.accepted('p');
    const other = { 1: { class_type: 'A', inputs: { seed: 2n ** 60n + 1n } } };
    await expect(open({ workflow: other })).rejects.toThrow(/another workflow, p: .*promptwire follow p -x/u);
    await expect(open({ baseUrl: 'https://b.example' })).rejects.toThrow(
      /belongs to a job of https:\/\/a\.example\/base; take another key for https:\/\/b\.example/u,
    );
    await expect(open({ baseUrl: 'no address' })).rejects.toThrow(UsageError);
    expect((await open({ jobKey: 'l', workflow: other })).promptId).toBeUndefined();
  });

  it('J4: refuses where its record can’t be read or kept', async () => {
    await (await open()).begin();
    await writeFile(recordPath(), '{"cut');
    await expect(open()).rejects.toMatchObject({
      ...{ _tag: 'OutcomeUnknown', startedAt: 0 },
      message: expect.stringMatching(/began to submit and wrote down no answer/u) as string,
    });
    await rm(join(folder, 'jobs'), { recursive: true });
    await writeFile(join(folder, 'jobs'), 'no folder');
    await expect(open()).rejects.toThrow(
      /can't keep the record of --job-key in .*: ENOTDIR; nothing was submitted/u,
    );
  });
});

it.each([
  ['{"service":"a","workflow":"b","startedAt":"c"}', { service: 'a', workflow: 'b', startedAt: 'c' }],
  ['{"service":"a","workflow":"b","startedAt":"c","promptId":""}', undefined],
  ['{"service":"a","workflow":"b"}', undefined],
  ['{"service":"a","workflow":"b","startedAt":"c","promptId":5}', undefined],
  ['null', undefined],
  ['', undefined],
])('the record %s is %o', (text, record) => {
  expect(readJobRecord(text)).toEqual(record);
});

/** A command with a job key, whose submission ends so, and what became of it. */
const submitted = async (answer: 'OutcomeUnknown' | 'Decode' | 'BadRequest' | 'accepted', fails = false) => {
  const done: string[] = [];
  const note = (what: string) => {
    done.push(what);
    return fails && what.startsWith('accepted') ? Promise.reject(new Error('full')) : Promise.resolve();
  };
  const session = {
    enterStage: (stage: string, id = '') => void done.push(`stage ${stage} ${id}`.trim()),
    report: ({ kind }: { readonly kind: string }) => void done.push(kind),
  };
  const once = {
    promptId: undefined,
    begin: () => note('begin'),
    accepted: (id: string) => note(`accepted ${id}`),
    refused: () => note('refused'),
  };
  const result =
    answer === 'accepted' ? right({ promptId: 'p' }) : left(serviceError(answer, { message: 'no' } as never));
  const given = await submitOnce(session as never, () => Promise.resolve(result) as never, once).catch(
    (error: unknown) => (error as { readonly _tag: string })._tag,
  );
  return { done, given };
};

it('J4: a submission is noted before it is sent, and its job once it is accepted', async () => {
  const { done, given } = await submitted('accepted');
  expect(given).toEqual({ promptId: 'p' });
  expect(done).toEqual(['begin', 'stage submit', 'stage watch p', 'accepted p']);
  expect((await submitted('accepted', true)).done.at(-1)).toBe('warning');
});

it.each([
  ['BadRequest', ['refused']],
  ['OutcomeUnknown', []],
  ['Decode', []],
] as const)('J4: the key is free again only where the service refused for certain: %s', async (tag, more) => {
  const { done, given } = await submitted(tag);
  expect([given, done]).toEqual([tag, ['begin', 'stage submit', ...more]]);
});
