import { describe, expect, it, onTestFinished } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { lastValueFrom } from 'rxjs';
import { PNG } from 'pngjs';
import { createClient, type CreateClientOptions, type Workflow } from '../../src/node.js';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { jobHarness, messages } from '../helpers/job-harness.js';
import type { Rest } from '../../src/core/http/rest.js';
import { startJob } from '../../src/client/jobs/start-job.js';
import { encodeFrame } from '../../src/testing/encode-frame.js';
import { trackedById } from '../../src/client/jobs/follow.js';

/** Two pictures of 64 by 64 by the socket, beside one that is saved as a file. */
const workflow: Workflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 2, color: 255 } },
  '2': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } },
  '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
};

const service = async (options: EmulatorOptions, more: Partial<CreateClientOptions> = {}) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  const client = createClient({ ...emulator, ...more });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { emulator, client };
};

const dialects: readonly EmulatorOptions[] = [{ dialect: 'cloud' }, { dialect: 'local' }];

describe('pictures of SaveImageWebsocket', () => {
  it.each(dialects)('O7: are results of the job: %o', async (options) => {
    const { client } = await service(options);
    const state = await lastValueFrom(client.run(workflow));
    expect(state).toMatchObject({ phase: 'completed', outputsComplete: true, socketSavers: ['2'] });
    expect(
      state.socketImages?.map(({ bytes, ...image }) => [
        image,
        PNG.sync.read(Buffer.from(bytes ?? [])).width,
      ]),
    ).toEqual([0, 1].map((index) => [{ nodeId: '2', index, mediaType: 'image/png' }, 64]));
    expect(state.outputs['2']).toBeUndefined();
  });

  it('O7: beyond their bound are not kept, and leave the outputs incomplete', async () => {
    const { client } = await service({}, { keptFrames: { imageBytes: 200 } });
    const job = await client.submit(workflow)();
    const made = E.isRight(job) ? job.right : undefined;
    expect(await made?.outputs()).toMatchObject({
      left: { _tag: 'OutputsIncomplete', promptId: made?.promptId },
    });
    const { socketImages, warnings } = await lastValueFrom(made!.states);
    expect(socketImages?.map(({ bytes }) => (bytes ?? []).length <= 200)).toEqual([true, true]);
    expect(warnings.join()).toContain('has no room in keptFrames');
  });
});

const p = messages('p');
const rest: Partial<Rest> = {
  jobStatus: () => TE.right({ promptId: 'p', phase: 'in_progress', status: 'in_progress' }),
  history: () => TE.right({ promptId: 'p', outputs: {}, phase: 'completed', isFinal: true, record: {} }),
};
const encoded = encodeFrame({
  _tag: 'Preview',
  mediaType: 'image/png',
  image: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  promptId: 'p',
  nodeId: '2',
});
const picture = Uint8Array.from(encoded as Uint8Array).buffer;

describe('pictures of a job whose socket was cut', () => {
  const started = () => {
    const harness = jobHarness(rest);
    const job = startJob(harness.context, workflow, {
      submission: { promptId: 'p', nodeErrors: {} },
      claim: () => [],
      clientId: undefined,
    });
    harness.socket().open();
    harness.socket().receive(p.start);
    return { ...harness, job };
  };

  it.each([
    ['one that came while it was cut', 2, 'OutputsIncomplete'],
    ['none', 1, 'Right'],
  ])('O7: %s is missing', async (_, steps, expected) => {
    const { socket, job, platform } = started();
    socket().receive(p.progress('2', 0, steps));
    socket().receive(picture);
    socket().end();
    await platform.clock.advance(5_000);
    socket().open();
    socket().receive(p.success);
    const outputs = job.outputs();
    await platform.clock.advance(20_000);
    const answer = await outputs;
    expect(E.isLeft(answer) ? answer.left._tag : 'Right').toBe(expected);
    const { socketImages, warnings } = await lastValueFrom(job.states);
    expect(socketImages).toHaveLength(1);
    expect(warnings.filter((text) => text.includes('keeps none'))).toHaveLength(expected === 'Right' ? 0 : 1);
  });

  it('O7: a follower that knows the workflow says what it misses; one that does not claims nothing', () => {
    const { context } = jobHarness(rest);
    expect(trackedById(context, 'p', { workflow }).initial.socketSavers).toEqual(['2']);
    expect(trackedById(context, 'p').initial.socketSavers).toBeUndefined();
  });
});
