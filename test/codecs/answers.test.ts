import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as codecs from '../../src/codecs.js';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
  textToImageWorkflow,
} from '../../src/emulator.js';
import { codecProblem } from '../helpers/codec-problem.js';

const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 2 });

const started = async (options: EmulatorOptions): Promise<Emulator> => {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
};

const asker =
  ({ baseUrl, apiKey }: Emulator) =>
  async (path: string, body?: unknown): Promise<unknown> => {
    const form = body instanceof FormData;
    const response = await fetch(`${baseUrl}/api${path}`, {
      headers: { 'x-api-key': apiKey, ...(!form && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: form ? body : JSON.stringify(body) }),
    });
    return response.json();
  };

const takes = (codec: t.Mixed, answer: unknown): void => {
  expect(codec.is(answer), codecProblem(codec, answer)).toBe(true);
  expect(E.isRight(codec.decode(answer))).toBe(true);
};

const submitted = async (ask: ReturnType<typeof asker>): Promise<string> => {
  const answer = await ask('/prompt', { prompt: workflow });
  takes(codecs.submissionCodec, answer);
  return (answer as { readonly prompt_id: string }).prompt_id;
};

const services: readonly (readonly [string, EmulatorOptions])[] = [
  ['a cloud service', {}],
  ['a cloud service of the profile 2026', { profile: '2026' }],
  ['a local server', { dialect: 'local' }],
];

describe.each(services)('the codecs take the answers of %s', (_, options) => {
  const isLocal = options.dialect === 'local';

  it('about classes, uploads and the account', async () => {
    const ask = asker(await started(options));
    const classes = await ask('/object_info');
    takes(codecs.objectInfoCodec, classes);
    takes(codecs.nodeInfoCodec, (classes as Record<string, unknown>)['KSampler']);
    const form = new FormData();
    form.set('image', new Blob(['{}']), 'a.json');
    form.set('type', 'input');
    takes(codecs.uploadedFileCodec, await ask('/upload/image', form));
    if (!isLocal) takes(codecs.userCodec, await ask('/user'));
  });

  it('about a job that is over', async () => {
    const ask = asker(await started({ speed: Infinity, ...options }));
    const promptId = await submitted(ask);
    const path = isLocal ? `/history/${promptId}` : `/history_v2/${promptId}`;
    await expect.poll(() => ask(path)).toSatisfy((record) => JSON.stringify(record).includes('.png'));
    const history = await ask(path);
    takes(codecs.historyCodec, history);
    takes(codecs.historyRecordCodec, (history as Record<string, unknown>)[promptId] ?? history);
    if (!isLocal) takes(codecs.jobStatusCodec, await ask(`/job/${promptId}/status`));
  });

  it('about jobs that run and wait, and their cancellation', async () => {
    const ask = asker(await started({ speed: 0.001, ...options }));
    await submitted(ask);
    const promptId = await submitted(ask);
    const queue = await ask('/queue');
    takes(codecs.queueCodec, queue);
    expect(JSON.stringify(queue)).toContain(promptId);
    if (!isLocal) takes(codecs.cancellationCodec, await ask('/queue', { delete: [promptId] }));
  });

  it('that refuse', async () => {
    const ask = asker(await started(options));
    const refusal = await ask('/prompt', {});
    takes(codecs.workflowRefusalCodec, refusal);
    takes(codecs.errorBodyCodec, refusal);
    if (!isLocal) takes(codecs.refusalCodec, await ask('/job/none/status'));
  });

  it.skipIf(options.profile === '2026')('that name wrong inputs', async () => {
    const ask = asker(await started(options));
    const wrong = { ...workflow, '3': { ...workflow['3'], inputs: { ...workflow['3']?.inputs, steps: 0 } } };
    const refusal = await ask('/prompt', { prompt: wrong });
    takes(codecs.workflowRefusalCodec, refusal);
    takes(codecs.nodeErrorsCodec, (refusal as { readonly node_errors: unknown }).node_errors);
    expect(refusal).toHaveProperty('node_errors.3.errors.0.type', 'value_smaller_than_min');
  });
});
