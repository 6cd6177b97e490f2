import { dialects } from '../../src/client/dialects/dialects.js';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { canary, httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { createRest } from '../../src/core/http/rest.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { realClock } from '../../src/core/platform/clock.js';
import { accepted, jsonOf, setUpRest, workflow } from '../helpers/rest-calls.js';
import { runs } from '../helpers/runs.js';

describe('createRest: addresses and answers', () => {
  it('asks for all node classes or for one', async () => {
    const node = { input: {}, output: [], output_node: true, name: 'K', category: 'x' };
    const { rest, asked } = setUpRest(() => ({ body: { K: node } }));
    expect(rightOf(await rest.objectInfo()())['K']).toEqual(node);
    await rest.objectInfo({ nodeClass: 'A/B c' })();
    expect(asked()).toEqual(['GET /api/object_info', 'GET /api/object_info/A%2FB%20c']);
  });

  it('E17 reads ten megabytes of node classes, sixty in all runs', async () => {
    const most = runs(60) * 1e6;
    const files = Array.from({ length: 60 }, (_, at) => `models/${'folder'.repeat(30)}/${at}.safetensors`);
    const node = {
      input: { required: { file: [files] } },
      output: [],
      output_node: true,
      name: 'K',
      category: 'x',
    };
    const definition = new TextEncoder().encode(`:${JSON.stringify(node)}`);
    let bytes = 0;
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    const body = async function* () {
      for (let at = 0; bytes < most; at += 1) {
        yield new TextEncoder().encode(`${at === 0 ? '{' : ','}"Class ${at}"`);
        yield definition;
        bytes += definition.length;
      }
      yield new TextEncoder().encode('}');
    };
    const platform: Platform = {
      ...fakePlatform(),
      clock: realClock,
      request: () => Promise.resolve({ status: 200, headers: {}, body: body(), discard: () => undefined }),
    };
    const classes = rightOf(await createRest(httpConnection(platform)).objectInfo()());
    expect(Object.keys(classes)).toHaveLength(Math.ceil(most / definition.length));
    expect(classes['Class 500']).toEqual(node);
  });

  it('asks for status, history, queue and user', async () => {
    const { rest, asked } = setUpRest(({ url }) => ({
      body: url.includes('status')
        ? { id: 'a/b', status: 'executing', created_at: 'x', updated_at: 'y' }
        : url.includes('history')
          ? { outputs: {} }
          : url.includes('queue')
            ? { queue_running: [], queue_pending: [] }
            : { status: 'active' },
    }));
    expect(rightOf(await rest.jobStatus('a/b')())).toMatchObject({
      status: 'executing',
      phase: 'in_progress',
    });
    expect(rightOf(await rest.history('a/b')())).toMatchObject({ promptId: 'a/b', outputs: {} });
    expect(rightOf(await rest.queue()())).toEqual({ running: [], pending: [] });
    expect(rightOf(await rest.user()())).toEqual({ status: 'active' });
    expect(asked()).toEqual([
      'GET /api/job/a%2Fb/status',
      'GET /api/history_v2/a%2Fb',
      'GET /api/queue',
      'GET /api/user',
    ]);
  });

  it('reads an empty history as not there yet, like 404', async () => {
    for (const answer of [{ body: {} }, { status: 404 }]) {
      const { rest } = setUpRest(() => answer);
      expect(leftOf(await rest.history('p')())).toMatchObject({
        _tag: 'NotFound',
        promptId: 'p',
        status: 404,
      });
    }
  });

  it('cancels by ids and reads what was deleted, where the service says', async () => {
    const { rest, requests, asked } = setUpRest(() => ({ body: { deleted: ['a'], cleared: false } }));
    expect(await rest.cancel(['a', 'b'])()).toEqual(E.right({ deleted: ['a'] }));
    expect(jsonOf(requests[0])).toEqual({ delete: ['a', 'b'] });
    expect(asked()).toEqual(['POST /api/queue']);
    for (const body of ['', {}, { deleted: 'x' }]) {
      expect(await setUpRest(() => ({ body })).rest.cancel(['a'])()).toEqual(E.right({}));
    }
  });

  it('interrupts one job by its id, and everything only without one; never twice', async () => {
    const { rest, requests, asked } = setUpRest(() => ({ body: '' }));
    expect(await rest.interrupt({ promptId: 'a' })()).toEqual(E.right(undefined));
    expect(await rest.interrupt()()).toEqual(E.right(undefined));
    expect(requests.map(({ json }) => json)).toEqual(['{"prompt_id":"a"}', undefined]);
    expect(asked()).toEqual(['POST /api/interrupt', 'POST /api/interrupt']);
    const failing = setUpRest(() => ({ status: 500 }));
    expect(leftOf(await failing.rest.interrupt()())._tag).toBe('ServerError');
    expect(failing.requests).toHaveLength(1);
  });
});

describe('createRest: submit', () => {
  it('sends the workflow and nothing that was not asked for', async () => {
    const { rest, requests, asked } = setUpRest(() => ({ body: accepted }));
    expect(rightOf(await rest.submit(workflow)())).toMatchObject({
      promptId: 'p-1',
      number: 4,
      nodeErrors: {},
    });
    expect(jsonOf(requests[0])).toEqual({ prompt: workflow });
    expect(asked()).toEqual(['POST /api/prompt']);
  });

  it('sends the workflow as it is when the call is run', async () => {
    const { rest, requests } = setUpRest(() => ({ body: accepted }));
    const changing: Record<string, { class_type: string; inputs: Record<string, unknown> }> = {
      '1': { class_type: 'A', inputs: { n: 0 } },
    };
    const submit = rest.submit(changing);
    changing['1']!.inputs['n'] = 1;
    const running = submit();
    changing['1']!.inputs['n'] = 2;
    await running;
    expect(jsonOf(requests[0])).toEqual({ prompt: { '1': { class_type: 'A', inputs: { n: 1 } } } });
  });

  it('sends extra data and the partner key where asked, under a name that can be set', async () => {
    const { rest, requests } = setUpRest(() => ({ body: accepted }));
    await rest.submit(workflow, { extraData: { a: 1 }, partnerKey: true })();
    await rest.submit(workflow, { partnerKey: 'other' })();
    const named = setUpRest(() => ({ body: accepted }), { partnerKeyField: 'api_key_comfy_org' });
    await named.rest.submit(workflow, { partnerKey: 'other' })();
    expect(
      [...requests, ...named.requests].map(
        (request) => (jsonOf(request) as { extra_data: unknown }).extra_data,
      ),
    ).toEqual([
      { a: 1, api_key_partner_org: canary },
      { api_key_partner_org: 'other' },
      { api_key_comfy_org: 'other' },
    ]);
  });

  it('E21: refuses credentials in the extra data, and partner keys that are none', async () => {
    const { rest, requests } = setUpRest(() => ({ body: accepted }));
    for (const field of ['api_key_partner_org', 'api_key_comfy_org', 'auth_token_comfy_org']) {
      const error = leftOf(await rest.submit(workflow, { extraData: { [field]: 'secret' } })());
      expect(error).toMatchObject({ _tag: 'InvalidConfig', option: 'extraData' });
      expect(JSON.stringify(error)).not.toContain('secret');
    }
    for (const partnerKey of ['', 'a\nb']) {
      expect(leftOf(await rest.submit(workflow, { partnerKey })())).toMatchObject({ option: 'partnerKey' });
    }
    const keyless = setUpRest(() => ({ body: accepted }), { key: () => undefined });
    expect(leftOf(await keyless.rest.submit(workflow, { partnerKey: true })())).toMatchObject({
      option: 'partnerKey',
    });
    expect(requests).toHaveLength(0);
  });

  it('hides the partner key in errors, too', async () => {
    const { rest } = setUpRest(({ json }) => ({ status: 400, body: json ?? '' }));
    const error = leftOf(await rest.submit(workflow, { partnerKey: 'partner-secret' })());
    expect(JSON.stringify(error) + String(error.stack)).not.toContain('partner-secret');
    expect(error.sample).toContain('[redacted]');
  });

  it('refuses what is no JSON', async () => {
    const { rest, requests } = setUpRest(() => ({ body: accepted }));
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const inputs = { value: circular };
    const error = leftOf(await rest.submit({ '1': { class_type: 'A', inputs } })());
    expect(error._tag).toBe('InvalidWorkflow');
    expect(requests).toHaveLength(0);
  });

  it('sends a bigint as an integer, exactly', async () => {
    const { rest, requests } = setUpRest(() => ({ body: accepted }));
    await rest.submit({ '1': { class_type: 'A', inputs: { seed: 2n ** 64n - 1n } } })();
    expect(requests[0]?.json).toContain('"seed":18446744073709551615}');
  });

  it('reads a refusal that comes with 200', async () => {
    const { rest } = setUpRest(() => ({
      body: { error: { type: 'no_prompt', message: 'No prompt' }, node_errors: {} },
    }));
    expect(leftOf(await rest.submit(workflow)())).toMatchObject({
      _tag: 'BadRequest',
      errorType: 'no_prompt',
    });
  });

  it('keeps the node errors of a refusal', async () => {
    const problem = {
      type: 'required_input_missing',
      message: 'm',
      details: 'd',
      extra_info: { input_name: 'x' },
    };
    const { rest } = setUpRest(() => ({
      status: 400,
      body: {
        error: { type: 'prompt_outputs_failed_validation', message: 'm' },
        node_errors: { '9': { errors: [problem], dependent_outputs: ['9'], class_type: 'SaveImage' } },
      },
    }));
    const error = leftOf(await rest.submit(workflow)());
    expect(error._tag === 'BadRequest' && error.nodeErrors['9']).toMatchObject({ classType: 'SaveImage' });
  });
});

describe('createRest: local dialect', () => {
  const local = { dialect: dialects.local.http, clientId: () => 'socket-1' };

  it('names the socket, sends no key, and asks for history where it is', async () => {
    const { rest, requests, asked } = setUpRest(
      ({ url }) => ({ body: url.includes('prompt') ? accepted : {} }),
      local,
    );
    await rest.submit(workflow)();
    expect(jsonOf(requests[0])).toEqual({
      prompt: workflow,
      client_id: 'socket-1',
      prompt_id: '00000000-0000-4000-8000-000000000001',
    });
    expect(leftOf(await rest.history('p')())._tag).toBe('NotFound');
    expect(asked()).toEqual(['POST /api/prompt', 'GET /api/history/p']);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    ['running', { queue_running: [[1, 'p', {}, {}, []]], queue_pending: [] }, 'in_progress', 1],
    ['pending', { queue_running: [], queue_pending: [[1, 'p', {}, {}, []]] }, 'pending', 1],
    ['elsewhere', { queue_running: [[1, 'q', {}, {}, []]], queue_pending: [] }, 'completed', 2],
  ])('derives the state of a job that is %s', async (_, queue, phase, count) => {
    const record = { outputs: {}, status: { status_str: 'success', completed: true, messages: [] } };
    const { rest, asked } = setUpRest(
      ({ url }) => ({ body: url.includes('queue') ? queue : { p: record } }),
      local,
    );
    expect(rightOf(await rest.jobStatus('p')())).toMatchObject({ promptId: 'p', phase });
    // The first status finds out whether the engine has a jobs API.
    expect(asked()).toEqual(['GET /api/jobs/p', 'GET /api/queue', 'GET /api/history/p'].slice(0, 1 + count));
  });

  it('knows a job that is in neither for not found', async () => {
    const { rest } = setUpRest(
      ({ url }) => ({ body: url.includes('queue') ? { queue_running: [], queue_pending: [] } : {} }),
      local,
    );
    expect(leftOf(await rest.jobStatus('p')())).toMatchObject({ _tag: 'NotFound', promptId: 'p' });
  });
});
