import { schemas } from '@comfyorg/sdk/low';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOutput, jobOfOutput, outputsOfJob } from '../../../src/server/gateway/v2/output-documents.js';
import { jobDocument, statusOf } from '../../../src/server/gateway/v2/job-document.js';
import { timestamp } from '../../../src/server/gateway/v2/documents.js';
import { v2Documents } from '../../../src/server/gateway/v2/v2-events.js';
import { aJob, anyJob, base } from './a-job.js';

describe('the documents of a job', () => {
  it("pass the SDK's schemas in every state", () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const document = jobDocument(job, base);
        expect(schemas.zJob.safeParse(document).error).toBeUndefined();
        const progress = v2Documents.v2Progress(job);
        if (progress !== undefined) schemas.zProgress.parse(progress.data);
      }),
    );
  });

  it('keep every output findable by an id of its own, which names its job', () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const outputs = outputsOfJob(job);
        expect(new Set(outputs.map(({ id }) => id)).size).toBe(outputs.length);
        for (const output of outputs) {
          expect(jobOfOutput(output.id)).toBe(job.record.id);
          expect(findOutput(job, output.id)).toEqual(output);
          expect(output.name).toMatch(/^[^/\\]+$/u);
        }
      }),
    );
  });

  it('give an output the same id for ever: 64 bits of FNV-1a over its node and its file', () => {
    const names = ['a.png', 'äß.png', '😀.webp', `${'x'.repeat(300)}.png`];
    const files = names.map((filename) => ({ filename, subfolder: 's', type: 'output' }));
    const ids = outputsOfJob(aJob({}, { outputs: { 9: { images: files } } })).map(({ id }) => id);
    const expected = names.map((name) => {
      const text = JSON.stringify(['9', JSON.stringify([name, 's', 'output', null])]);
      const hash = new TextEncoder()
        .encode(text)
        .reduce(
          (sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n),
          0xcbf29ce484222325n,
        );
      return `a-job.${hash.toString(16).padStart(16, '0')}`;
    });
    expect(ids).toEqual(expected);
  });

  it('call a job that its service forgot after a cancel canceled, and any other one expired', () => {
    const state = { phase: 'untraceable' } as const;
    expect(statusOf(aJob({}, state))).toBe('expired');
    expect(statusOf(aJob({ cancelRequestedAt: 5 }, state))).toBe('canceled');
    expect(jobDocument(aJob({}, state), base).error?.code).toBe('job_lost');
    expect(jobDocument(aJob({ cancelRequestedAt: 5 }, state), base).error).toBeNull();
  });

  it('have links below the mount, and addresses of outputs on the origin of the caller', () => {
    const outputs = { 9: { images: [{ filename: 'a.png', subfolder: 'x', type: 'output' }] } };
    const { urls, outputs: documents } = jobDocument(
      aJob({}, { phase: 'completed', outputs }),
      'https://a.example/deployment/x',
    );
    expect(urls.events).toBe('/deployment/x/api/v2/jobs/a-job/events');
    expect(documents[0]?.url).toMatch(
      /^https:\/\/a\.example\/deployment\/x\/api\/v2\/assets\/a-job\.[0-9a-f]{16}\/content$/u,
    );
  });

  it('list the temporary files of a node only where it made no others', () => {
    const file = (filename: string, type: string) => ({ filename, subfolder: '', type });
    const outputs = {
      a: { images: [file('1.png', 'temp'), file('2.png', 'output')] },
      b: { images: [file('3.png', 'temp')], text: ['no file'] },
    };
    expect(outputsOfJob(aJob({}, { outputs })).map(({ name }) => name)).toEqual(['2.png', '3.png']);
  });

  it('take size, hash and kind from a service that knows them', () => {
    const hash = `blake3:${'ab'.repeat(32)}`;
    const asset = { id: 'asset', hash, size_bytes: 7, type: 'latent', content_type: 'x/y' };
    const outputs = { 9: { latent: [{ filename: 'a.latent', subfolder: '', type: 'output', asset }] } };
    const [output] = jobDocument(aJob({}, { outputs }), base).outputs;
    expect(output).toMatchObject({ hash, size_bytes: 7, type: 'latent', name: 'a.latent' });
  });

  it.each([
    ['images', 'a.png', 'image'],
    ['gifs', 'a.gif', 'video'],
    ['gifs', 'a.mp4', 'video'],
    ['audio', 'a.flac', 'audio'],
    ['text', 'a.txt', 'text'],
    ['latents', 'a.latent', 'latent'],
    ['3d', 'a.glb', 'file'],
  ])('say of what kind an output is: %s with %s is %s', (key, filename, type) => {
    const file = { filename, subfolder: '', type: 'output' };
    expect(outputsOfJob(aJob({}, { outputs: { 9: { [key]: [file] } } }))).toMatchObject([{ type }]);
  });

  it.each([
    ['video/H264-MP4', 'a', 'video/h264-mp4'],
    ['gif', 'a.gif', 'image/gif'],
    [undefined, 'a.webp', 'image/webp'],
    ['text/html; charset=x', 'a.unknown', 'application/octet-stream'],
  ])(
    'have the type that the node tells, or else that of the name: %s of %s is %s',
    (format, filename, type) => {
      const file = { filename, subfolder: '', type: 'output', ...(format !== undefined && { format }) };
      expect(outputsOfJob(aJob({}, { outputs: { 9: { gifs: [file] } } }))).toMatchObject([
        { contentType: type },
      ]);
    },
  );

  it.each(['folder/', '.', '..', 'a/..', 'a\\.', ''])(
    'give no output the name of a folder: %j',
    (filename) => {
      const outputs = { 9: { images: [{ filename, subfolder: '', type: 'output' }] } };
      for (const { name } of outputsOfJob(aJob({}, { outputs }))) expect(name).toBe('output');
    },
  );

  it('take no hash and no size from a service that are none', () => {
    for (const asset of [
      { id: 'a', hash: 'md5:1', size_bytes: 0, type: 'other' },
      { id: 'a', hash: 7, size_bytes: '7', type: 7 },
      { id: 'a', size_bytes: 1.5 },
    ]) {
      const outputs = { 9: { images: [{ filename: 'a.png', subfolder: '', type: 'output', asset }] } };
      expect(outputsOfJob(aJob({}, { outputs }))).toMatchObject([
        { hash: null, sizeBytes: undefined, type: 'image' },
      ]);
    }
  });

  it('tell where and why a job failed', () => {
    const failure = {
      exceptionType: 'RuntimeError',
      exceptionMessage: 'no',
      nodeId: '3',
      nodeType: 'KSampler',
      traceback: ['a\n', 'b\n'],
      nodeErrors: {},
    };
    expect(jobDocument(aJob({}, { phase: 'failed', failure }), base).error).toEqual({
      code: 'node_execution_error',
      message: 'no',
      node_id: '3',
      class_type: 'KSampler',
      traceback: 'a\nb\n',
    });
  });
});

it.each([
  [1, '1970-01-01T00:00:00.001Z'],
  [-1, '1970-01-01T00:00:00.000Z'],
  [Infinity, '9999-12-31T00:00:00.000Z'],
])('a time of %d ms is %s', (milliseconds, text) => {
  expect(timestamp(milliseconds)).toBe(text);
});

describe('why a job failed', () => {
  const failure = { exceptionType: '', exceptionMessage: 'no', traceback: [], nodeErrors: {} };
  const errorOf = (state: Parameters<typeof aJob>[1]) => jobDocument(aJob({}, state), base).error;

  it.each([
    ['InsufficientFundsError', 'insufficient_credits'],
    ['InactiveSubscriptionError', 'forbidden'],
    ['ValidationError', 'invalid_workflow'],
    ['Expired', 'job_expired'],
    // A service of API v2 sends its code as the type.
    ['deployment_stopped', 'deployment_stopped'],
    ['b2_too_large_4', 'b2_too_large_4'],
    ['RuntimeError', 'execution_error'],
    ['oom', 'execution_error'],
    ['_oom', 'execution_error'],
    ['1_oom', 'execution_error'],
    ['an_error of ours', 'execution_error'],
    ['toString', 'execution_error'],
  ])('is told by a code: %s is %s', (exceptionType, code) => {
    const error = errorOf({ phase: 'failed', failure: { ...failure, exceptionType } });
    expect(error).toEqual({ code, message: 'no' });
  });

  it('is told by how it ended, where that says more than the type', () => {
    expect(errorOf({ phase: 'unknown', failure })?.code).toBe('submission_outcome_unknown');
    expect(errorOf({ phase: 'untraceable', failure })?.code).toBe('job_lost');
    expect(errorOf({ phase: 'failed' })).toEqual({
      code: 'job_failed',
      message: 'The service gave no reason.',
    });
    expect(errorOf({ phase: 'untraceable' })?.code).toBe('job_lost');
    for (const phase of ['completed', 'cancelled', 'in_progress', 'pending'] as const)
      expect(errorOf({ phase, failure })).toBeNull();
  });

  it('names the jobs of the service that it may be', () => {
    const candidates = ['p-1', 'p-2'];
    expect(errorOf({ phase: 'unknown', failure: { ...failure, candidates } })).toMatchObject({ candidates });
    expect(errorOf({ phase: 'unknown', failure: { ...failure, candidates: [] } })).not.toHaveProperty(
      'candidates',
    );
  });
});

describe('the document of a job', () => {
  it('has its labels, its times and how long it waited and ran', () => {
    const job = {
      ...aJob({ createdAt: 1_000, metadata: { user: 'a' } }),
      startedAt: 1_500.4,
      endedAt: 4_000,
    };
    expect(jobDocument(job, base)).toMatchObject({
      metadata: { user: 'a' },
      started_at: '1970-01-01T00:00:01.500Z',
      completed_at: '1970-01-01T00:00:04.000Z',
      metrics: { queue_ms: 500, execution_ms: 2_500 },
      urls: { self: '/api/v2/jobs/a-job', cancel: '/api/v2/jobs/a-job/cancel' },
    });
    const waiting = jobDocument(aJob(), base);
    expect([waiting.started_at, waiting.completed_at, waiting.metrics]).toEqual([
      ...[null, null, { queue_ms: null, execution_ms: null }],
    ]);
    expect(waiting).not.toHaveProperty('metadata');
    // Two clocks may differ.
    expect(jobDocument({ ...aJob({ createdAt: 9_000 }), startedAt: 8_000 }, base).metrics.queue_ms).toBe(0);
  });
});

describe('the events of a job in API v2', () => {
  const logged = (event: Parameters<typeof v2Documents.v2Events>[1]['event']) => ({
    id: '1',
    jobId: 'a-job',
    event,
  });

  it('say running of what ran before the cancel, and canceling of what runs after it', () => {
    const job = aJob({ cancelRequestedAt: 10 }, { phase: 'cancelled' });
    const statusAt = (at: number) =>
      v2Documents.v2Events(
        job,
        logged({ type: 'status', at, status: { ...job.state, phase: 'in_progress' } }),
        base,
      )[0]?.data;
    expect(statusAt(9)).toEqual({ status: 'running', queue_position: null });
    expect(statusAt(10)).toEqual({ status: 'canceling', queue_position: null });
  });

  it('tell how far a short job came before its last status, and that its end was asked for', () => {
    const job = aJob({}, { phase: 'in_progress', nodeCount: 2 });
    const status = { ...job.state, phase: 'completed' } as const;
    const progress = { nodes: {}, nodeCount: 2, progress: 1 } as never;
    const events = v2Documents.v2Events(job, logged({ type: 'status', at: 9, status, progress }), base);
    expect(events).toEqual([
      { event: 'progress', data: { value: 1, nodes_done: 2, nodes_total: 2 } },
      { event: 'status', data: { status: 'succeeded', queue_position: null } },
    ]);
    expect(v2Documents.v2Events(job, logged({ type: 'cancelRequested', at: 9 }), base)).toEqual([
      { event: 'status', data: { status: 'canceling', queue_position: null } },
    ]);
    const submitted = v2Documents.v2Events(
      job,
      logged({ type: 'submitted', at: 1, state: { ...job.state, phase: 'pending' } }),
      base,
    );
    expect(submitted).toEqual([{ event: 'status', data: { status: 'queued', queue_position: null } }]);
  });

  it('send the added outputs only, each as the job lists it', () => {
    const images = ['1.png', '2.png'].map((filename) => ({ filename, subfolder: '', type: 'output' }));
    const job = aJob({}, { phase: 'completed', outputs: { 9: { images } } });
    const added = [{ nodeId: '9', ...images[1]!, mediaType: 'image/png' }];
    const events = v2Documents.v2Events(
      job,
      logged({ type: 'output', at: 1, nodeId: '9', outputs: { images }, added }),
      base,
    );
    expect(events.map(({ data }) => data)).toEqual([jobDocument(job, base).outputs[1]]);
  });

  it('send previews of any size as base64', () => {
    const bytes = new Uint8Array(20_000).map((_, at) => at);
    const { data } = v2Documents.v2Preview({ id: '1', nodeId: '3', mediaType: 'image/jpeg', bytes });
    const { data_base64: text } = data as { readonly data_base64: string };
    expect(new Uint8Array(Buffer.from(text, 'base64'))).toEqual(bytes);
  });
});
