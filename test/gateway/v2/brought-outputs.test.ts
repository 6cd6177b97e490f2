import { aJob } from './a-job.js';
import { createAssets } from '../../../src/server/gateway/v2/assets.js';
import { describe, expect, it } from 'vitest';
import type { GatewayFiles } from '../../../src/server/gateway/v2/gateway-files.js';
import { left, right } from '../../../src/core/protocol/either.js';
import { memoryAssetIndex } from '../../../src/server/gateway/store/memory-asset-index.js';
import { outputsOfJob } from '../../../src/server/gateway/v2/output-documents.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const outputs = { 9: { images: [{ filename: 'out.png', subfolder: '', type: 'output' }] } };
const job = aJob(
  { owner: 'ann', client: 'two', place: { server: 'attic', instance: 'i' } as never },
  { phase: 'completed', outputs },
);
const [output] = outputsOfJob(job);
const brought = { name: 'brought.png', subfolder: 'kept', type: 'input' } as const;

/** The assets of a gateway over servers, whose outputs are brought to where all have them unless `bring` says otherwise. */
const setUp = (bring: GatewayFiles['bring'] = () => () => Promise.resolve(right(brought))) => {
  const asked: unknown[][] = [];
  const files: GatewayFiles = {
    upload: () => () =>
      Promise.resolve(right({ client: 'one', file: { name: 'u.png', subfolder: '', type: 'input' } })),
    uploadMask: (client, { filename }, original, server) => {
      asked.push([client, original, server]);
      return () => Promise.resolve(right({ name: filename, subfolder: '', type: 'input' }));
    },
    bring: (client, file, of) => {
      asked.push(['bring', client, file.filename]);
      return bring(client, file, of);
    },
    view: () => () => Promise.resolve(left(serviceError('NotFound', {}))),
  };
  const index = memoryAssetIndex({ now: () => 7 });
  const hash = (): Promise<undefined> => Promise.resolve(undefined);
  const jobs = { get: () => Promise.resolve(job), list: () => Promise.resolve({ jobs: [] }) };
  const assets = createAssets({ index, jobs, files, hash, now: () => 7, clock: realClock });
  return { assets, asked, index };
};
const ann = { name: 'ann' };
const ofJob = { _tag: 'output', job, output: output! } as const;
const graph = {
  1: { class_type: 'Load', inputs: { image: { __type: 'core/ASSET', info: { id: output!.id } } } },
};

describe('the output of a job on one of several servers', () => {
  it('is brought to where a mask of it is made, on the server that ran the job', async () => {
    const { assets, asked, index } = setUp();
    const made = await assets.storeMask(ann, new Blob(['mask']), ofJob);
    expect(asked).toEqual([
      ['bring', 'two', 'out.png'],
      ['two', { filename: 'brought.png', subfolder: 'kept', type: 'input' }, 'attic'],
    ]);
    if (made._tag === 'Left') throw new Error(made.left.message);
    const { record, isNew } = made.right;
    expect([isNew, record]).toMatchObject([
      true,
      { owner: 'ann', client: 'two', contentType: 'image/png', sizeBytes: 4, createdAt: 7 },
    ]);
    expect(await index.get('ann', record.id)).toEqual(record);
  });

  it('is masked where it is, where every server has it', async () => {
    const { assets, asked } = setUp(() => () => Promise.resolve(right(undefined)));
    await assets.storeMask(ann, new Blob(['mask']), ofJob);
    expect(asked[1]).toEqual(['two', output!.file, 'attic']);
  });

  it('gets no mask and no job where it can’t be brought', async () => {
    const { assets, asked } = setUp(
      () => () => Promise.resolve(left(serviceError('Timeout', { timeoutMs: 1, sent: true }))),
    );
    const refused = { _tag: 'Left', left: { status: 503, code: 'upstream_unreachable' } };
    expect(await assets.storeMask(ann, new Blob(['mask']), ofJob)).toMatchObject(refused);
    expect(await assets.prepareJob(ann, graph)).toMatchObject(refused);
    expect(asked.map(([what]) => what)).toEqual(['bring', 'bring']);
  });

  it('is brought for a job that names it, and stands where it is for a check of the workflow', async () => {
    const { assets, asked } = setUp();
    expect(await assets.prepareJob(ann, graph)).toMatchObject({
      right: {
        client: 'two',
        workflow: { 1: { inputs: { image: 'kept/brought.png' } } },
        files: [{ file: brought }],
      },
    });
    expect(asked).toHaveLength(1);
    expect(await assets.prepare(ann, graph)).toMatchObject({
      right: {
        workflow: { 1: { inputs: { image: 'out.png [output]' } } },
        files: [{ file: { name: 'out.png', subfolder: '', type: 'output' }, server: 'attic' }],
      },
    });
    expect(asked).toHaveLength(1);
  });
});

describe('an upload where the runtime can’t hash', () => {
  it('is stored each time, without a hash', async () => {
    const { assets } = setUp();
    const fields = {
      ...{ filePath: undefined, contentType: undefined, expectedHash: `blake3:${'0'.repeat(64)}` },
      expiresInMs: undefined,
    };
    const [one, other] = [
      await assets.store(ann, new Blob(['a']), fields),
      await assets.store(ann, new Blob(['a']), fields),
    ];
    if (one._tag === 'Left' || other._tag === 'Left') throw new Error('refused');
    expect(one.right.record).not.toHaveProperty('hash');
    expect(one.right.record).not.toHaveProperty('expiresAt');
    expect([one.right.isNew, other.right.isNew, one.right.record.id === other.right.record.id]).toEqual([
      ...[true, true, false],
    ]);
  });
});
