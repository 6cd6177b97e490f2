import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/core/http/rest.js';
import { dialects } from '../../src/client/dialects/dialects.js';
import type { FakeAnswer } from '../helpers/fake-platform.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { canary, httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { realClock } from '../../src/core/platform/clock.js';
import { runs } from '../helpers/runs.js';

/** How many bytes of pictures are in a workflow, and fewer. */
const pictures = (runs(90) / 10) * 1024 * 1024;
const bound = pictures / 4;

/** Calls over a platform that answers everything with this body. */
const connected = (body: unknown, more: Partial<HttpConnection> = {}) => {
  const platform = { ...fakePlatform((): FakeAnswer => ({ body })), clock: realClock };
  const connection = httpConnection(platform, { dialect: dialects.local.http, ...more });
  return { connection, rest: createRest(connection) };
};

/** A workflow with pictures in it, as editors embed them. */
const workflow = (bytes: number) => ({
  1: { class_type: 'LoadImageBase64', inputs: { image: 'iVBO'.repeat(bytes / 4) } },
  9: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
});

const outputs = { 9: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };
const status = { status_str: 'success', completed: true, messages: [] };
const record = (bytes: number) => ({
  p: { prompt: [1, 'p', workflow(bytes), { create_time: 5 }, ['9']], outputs, status, meta: {} },
});

/** A job of the editor: its workflow, and the editor's own file of it. */
const editorJob = (index: number) => {
  const nodes = Object.fromEntries(
    Array.from({ length: 400 }, (_, id) => [
      id,
      { class_type: 'KSampler', inputs: { seed: id, steps: 20, cfg: 7 } },
    ]),
  );
  const pnginfo = {
    workflow: { nodes: Array.from({ length: 400 }, (_, id) => ({ id, pos: [0, id], widgets: [1, 2, 3] })) },
  };
  return [
    index,
    `job-${index}`,
    nodes,
    { extra_pnginfo: pnginfo, create_time: 1_000 + index, client_id: 'c' },
    ['9'],
  ];
};
const longQueue = {
  queue_running: [],
  queue_pending: Array.from({ length: 240 }, (_, index) => editorJob(index)),
};

describe('a record with a MiB of pictures in its workflow, 9 in all runs', () => {
  it('N1 is read whole', async () => {
    const { rest } = connected(record(pictures));
    const read = rightOf(await rest.history('p')());
    expect(read).toMatchObject({ phase: 'completed', isFinal: true, outputs });
    expect(read.record).toEqual(record(pictures).p);
  });

  it('N1 is read without its workflow, which then counts for no bound', async () => {
    const { rest } = connected(record(pictures), { maxAnswerBytes: bound });
    const read = rightOf(await rest.history('p', { workflow: false })());
    expect(read).toMatchObject({ phase: 'completed', isFinal: true, outputs });
    expect(read.record['prompt']).toBeNull();
  });

  it('N1 that is above the bound is refused with the bound and the option that raises it', async () => {
    const { rest } = connected(record(pictures), { maxAnswerBytes: bound });
    for (const refused of [leftOf(await rest.history('p')()), leftOf(await rest.recentJobs()())])
      expect(refused).toMatchObject({
        _tag: 'Decode',
        reason: `the answer has more than ${bound} bytes, the bound of maxAnswerBytes`,
        hint: 'Let larger answers be read with maxAnswerBytes of createClient.',
      });
  });

  it('N1 is listed with its workflow', async () => {
    const [job] = rightOf(await connected(record(pictures)).rest.recentJobs()());
    expect(job).toEqual({
      promptId: 'p',
      createdAt: 5,
      workflow: workflow(pictures),
      extraData: { create_time: 5 },
    });
  });

  it('N1 is read from the jobs API, with and without it', async () => {
    const detail = {
      status: 'completed',
      outputs,
      workflow: { prompt: workflow(pictures), extra_data: {} },
    };
    const { rest } = connected(detail);
    expect(rightOf(await rest.jobDetail('p')())).toMatchObject({ workflow: detail.workflow.prompt, outputs });
    const { workflow: read, ...more } = rightOf(await rest.jobDetail('p', { workflow: false })());
    expect(read).toBeUndefined();
    expect(more).toMatchObject({ status: 'completed', outputs });
  });

  it.each([0, pictures])(
    'M10: has the numbers of outputs as sent, with a workflow of %i bytes',
    async (bytes) => {
      const numbers = '{"n": [NaN, -Infinity, 18446744073709551615, 9007199254740991], "text": ["NaN"]}';
      const text = (value: unknown) => JSON.stringify(value).replace('"numbers"', numbers);
      const job = { ...record(bytes).p, outputs: { 9: 'numbers' } };
      const detail = { id: 'p', status: 'completed', outputs: { 9: 'numbers' } };
      const sent = { 9: { n: [NaN, -Infinity, 18446744073709551615n, 9007199254740991], text: ['NaN'] } };
      const { outputs } = rightOf(await connected(text({ p: job })).rest.history('p')());
      expect({ ...outputs }).toEqual(sent);
      const more = { workflow: { prompt: workflow(bytes) } };
      const read = rightOf(await connected(text({ ...detail, ...more })).rest.jobDetail('p')());
      expect({ ...read.outputs }).toEqual(sent);
    },
  );

  it('N1 shows no key, in no part of it', async () => {
    const text = JSON.stringify(record(pictures)).replace('"client_id"', '"x"').replace('iVBO', canary);
    const read = rightOf(
      await connected(text.replace('"meta":{}', `"meta":{"${canary}":"${canary}"}`)).rest.history('p')(),
    );
    expect(JSON.stringify(read)).not.toContain(canary);
  });
});

describe('a queue of 240 jobs of the editor', () => {
  it('N1 is listed with the workflows, and without them', async () => {
    const { rest } = connected(longQueue);
    const whole = rightOf(await rest.queue()());
    expect(whole.pending).toHaveLength(240);
    expect(whole.pending[7]).toEqual({
      promptId: 'job-7',
      number: 7,
      createdAt: 1_007,
      workflow: editorJob(7)[2],
      extraData: editorJob(7)[3],
    });
    const brief = rightOf(await rest.queue({ workflow: false })());
    expect(brief.pending[7]).toEqual({
      promptId: 'job-7',
      number: 7,
      createdAt: 1_007,
      extraData: { create_time: 1_007, client_id: 'c' },
    });
    expect(brief.pending).toHaveLength(240);
  });
});
