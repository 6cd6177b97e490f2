import type { StandardSchemaV1 } from '@standard-schema/spec';
import { sValidator } from '@hono/standard-validator';
import { Hono } from 'hono';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as codecs from '../../src/codecs.js';
import type { Workflow } from '../../src/index.js';
import { textToImageWorkflow } from '../../src/emulator.js';

const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 2 });

/** Every codec of the entry, those of events one by one. */
const all = Object.entries(codecs).flatMap(([name, codec]) =>
  'decode' in codec
    ? [[name, codec] as const]
    : Object.entries(codec).map(([type, one]) => [`${name}.${type}`, one] as const),
);

describe('a codec as a Standard Schema', () => {
  it.each(all)('%s is one, by the types of the specification as well', (_, codec) => {
    const schema: StandardSchemaV1 = codec;
    expect(schema['~standard']).toMatchObject({ version: 1, vendor: 'promptwire' });
  });

  it('has the type of the values that it takes', () => {
    expectTypeOf<
      StandardSchemaV1.InferOutput<typeof codecs.submissionCodec>['prompt_id']
    >().toEqualTypeOf<string>();
    expectTypeOf<StandardSchemaV1.InferOutput<typeof codecs.workflowCodec>>().toExtend<Workflow>();
  });

  it('gives a value that fits as it is, members that it does not name included', () => {
    const value = { prompt_id: 'a', number: 1, more: true };
    expect(codecs.submissionCodec['~standard'].validate(value)).toEqual({ value });
  });

  it.each([
    [codecs.submissionCodec, { prompt_id: 1 }, ['prompt_id']],
    [codecs.workflowCodec, { 3: { class_type: 'KSampler' } }, ['3', 'inputs']],
    [codecs.queueCodec, { queue_running: [], queue_pending: [7] }, ['queue_pending', '0']],
    [codecs.eventCodecs.progress, { value: 'one', max: 2, prompt_id: 'a' }, ['value']],
  ])('names the place of what is wrong, and not the value', (codec, value, path) => {
    const { issues = [] } = codec['~standard'].validate(value);
    expect(issues.map((issue) => issue.path)).toContainEqual(path);
    for (const { message } of issues) expect(message).not.toMatch(/KSampler|one/u);
  });

  it('is taken by a validator of others', async () => {
    const app = new Hono().post('/', sValidator('json', codecs.workflowCodec), (context) =>
      context.json(Object.keys(context.req.valid('json'))),
    );
    const ask = (body: unknown): Promise<Response> =>
      Promise.resolve(
        app.request('/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
    expect(await (await ask(workflow)).json()).toEqual(Object.keys(workflow));
    expect((await ask({ 3: {} })).status).toBe(400);
  });
});
