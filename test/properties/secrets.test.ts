import { inspect } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClientOn } from '../../src/client/client.js';
import { fileAccess } from '../../src/core/files/file-access.js';
import { createRest } from '../../src/core/http/rest.js';
import { view } from '../../src/core/http/view.js';
import { untilTerminal } from '../../src/core/operators/until-terminal.js';
import { redactor } from '../../src/core/redaction/redact.js';
import { valueRedactor } from '../../src/core/redaction/redact-value.js';
import { render } from '../../src/core/errors/render.js';
import { frameSource } from '../../src/core/socket/frame-source.js';
import { encodingsOf, leaksIn } from '../helpers/canary.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { errorsOf, everyCall, refusingStatuses } from '../helpers/every-call.js';
import { canary, httpConnection } from '../helpers/http-connection.js';
import { some } from '../helpers/runs.js';

const json = (value: unknown): string => {
  const seen = new Set<unknown>();
  const once = (_: string, member: unknown): unknown => {
    if (typeof member !== 'object' || member === null) return member;
    if (seen.has(member)) return undefined;
    seen.add(member);
    return member;
  };
  return JSON.stringify(value, once);
};

/** All that can be shown of a value: by printing, by inspecting, as JSON, with what caused it. */
const shownOf = (value: unknown): string => {
  const texts = [
    inspect(value, {
      depth: 10,
      showHidden: true,
      getters: true,
      maxStringLength: null,
      maxArrayLength: null,
    }),
  ];
  texts.push(String(value), json(value));
  for (let cause = value; cause instanceof Error; cause = cause.cause) {
    texts.push(cause.message, cause.stack ?? '', cause.toString());
    texts.push(
      ...Object.values(cause).map((member: unknown) => (typeof member === 'string' ? member : json(member))),
    );
  }
  return texts.join('\n');
};

const expectHidden = (value: unknown, secret = canary): void => {
  const shown = shownOf(value);
  expect(leaksIn(shown, secret), shown.slice(0, 2000)).toEqual([]);
};

const encodings = encodingsOf(canary);

describe('the scan itself', () => {
  it.each(encodings)('finds the key %s', (_, form) => {
    expect(leaksIn(`before ${form} after`, canary)).not.toEqual([]);
  });
});

describe('a secret that the service gives back', () => {
  it.each(encodings)('H1 (%s) is in no error of an answer', async (_, form) => {
    const nodeErrors = {
      1: {
        class_type: form,
        dependent_outputs: [form],
        errors: [
          { type: form, message: form, details: form, extra_info: { received_value: { deep: [form] } } },
        ],
      },
    };
    const bodies = [
      { error: { type: form, message: form, details: form }, node_errors: nodeErrors },
      { error: form, node_errors: nodeErrors },
      { code: form, message: form },
      `<html>${form}</html>`,
      `said ${form}`,
    ];
    const turn = encodings.findIndex(([, other]) => other === form);
    for (const status of some(refusingStatuses, { every: 6, turn })) {
      for (const body of bodies) {
        const headers = {
          'www-authenticate': `Bearer error="${form}"`,
          'retry-after': form,
          location: `http://${form.replace(/[^\w-]/gu, '')}.example/${form}`,
        };
        const errors = await errorsOf({ status, body, headers });
        expect(errors.length).toBeGreaterThanOrEqual(9);
        for (const error of errors) expectHidden(error);
      }
    }
  });

  it.each(encodings)('H1 (%s) is in no error of an unreadable answer', async (_, form) => {
    for (const body of [`${form}{`, { [form]: form, prompt_id: [form] }, [form], JSON.stringify(form)]) {
      for (const error of await errorsOf({ status: 200, body })) expectHidden(error);
    }
  });

  it.each(encodings)('H1 (%s) is in no error of the network', async (_, form) => {
    const platform = fakePlatform(() =>
      Promise.reject(Object.assign(new Error(form, { cause: form }), { code: form, sent: true })),
    );
    const running = everyCall(createRest(httpConnection(platform))).map((call) => call());
    await platform.clock.advance(600_000);
    for (const result of await Promise.all(running)) {
      expect(E.isLeft(result)).toBe(true);
      expectHidden(result);
    }
  });

  it.each(encodings)('H1 H4 (%s) is in no error of a download', async (_, form) => {
    const hops: readonly FakeAnswer[] = [
      { status: 403, body: form },
      { status: 200, headers: { 'content-encoding': form } },
      { status: 302, headers: { location: form } },
    ];
    for (const hop of hops) {
      const platform = fakePlatform(({ url }) =>
        url.includes('/api/view')
          ? {
              status: 302,
              headers: { location: 'https://storage.example/x?X-Amz-Signature=9f86d081884c7d65' },
            }
          : hop,
      );
      const connection = httpConnection(platform, { baseUrl: 'https://service.example' });
      const result = await view(connection, { filename: `${form}.png` })();
      expect(E.isLeft(result)).toBe(true);
      expectHidden(result);
      expect(shownOf(result)).not.toContain('9f86d081884c7d65');
    }
  });

  it.each(encodings)('H1 (%s) is in no failure of a job, in any report of it', async (_, form) => {
    const data = {
      prompt_id: 'job',
      node_id: '1',
      node_type: form,
      exception_type: form,
      exception_message: form,
      traceback: [form, form],
      current_inputs: { key: [form] },
    };
    const platform = fakePlatform();
    const source = frameSource(platform, {
      url: () => 'ws://127.0.0.1:9/ws',
      lingerMs: 0,
      redact: redactor([canary]),
      redactValue: valueRedactor([canary]),
    });
    const failed = lastValueFrom(source.frames.pipe(untilTerminal({ failure: 'error' }))).catch(
      (error: unknown) => error,
    );
    const [socket] = platform.sockets;
    socket!.open();
    const seen: unknown[] = [];
    source.frames.subscribe((frame) => seen.push(frame));
    socket!.receive({ type: 'notification', data: { value: form } });
    socket!.receive(`{"${form}`);
    socket!.receive({ type: 'execution_error', data });
    const error = await failed;
    expect(error).toMatchObject({ _tag: 'JobFailed' });
    expect(seen).toHaveLength(3);
    for (const value of [error, render(error as never), ...seen]) expectHidden(value);

    const told = { status: 'failed', error_message: JSON.stringify(data), execution_error: data };
    const rest = createRest(
      httpConnection(fakePlatform(() => ({ body: { id: 'job', prompt_id: 'job', ...told } }))),
    );
    const status = await rest.jobStatus('job')();
    expect(E.isRight(status) && status.right.failure).toMatchObject({ nodeId: '1' });
    expectHidden(E.isRight(status) && status.right.failure);
  });
});

describe('the key itself', () => {
  const options = { baseUrl: 'https://service.example', apiKey: canary };

  it('H2 is seen by no inspection of a client, its parts, its jobs and its streams', async () => {
    const platform = fakePlatform(() => ({ body: { prompt_id: 'job', number: 1, node_errors: {} } }));
    const client = createClientOn(platform, options, fileAccess);
    const frames = client.frames.subscribe({ error: () => undefined });
    platform.sockets[0]?.open();
    const submitted = client.submit({ 1: { class_type: 'X', inputs: {} } })();
    await platform.clock.advance(0);
    const job = await submitted;
    expect(E.isRight(job)).toBe(true);
    const run = client.run({ 1: { class_type: 'X', inputs: {} } });
    for (const value of [
      client,
      client.rest,
      client.frames,
      client.connection,
      frames,
      job,
      run,
      client.recent,
    ])
      expectHidden(value);
    platform.sockets[0]?.end({ code: 1008, reason: `bad token=${canary}` });
    expectHidden(await firstValueFrom(client.connection));
    await client.close();
    expectHidden(client);
    expect(platform.requests.every(({ headers }) => headers['x-api-key'] === canary)).toBe(true);
  });

  it('H6 is in nothing that a queue would be given of a job: its id, its states and its submission', async () => {
    const platform = fakePlatform(() => ({ body: { prompt_id: 'job', number: 1, node_errors: {} } }));
    const client = createClientOn(platform, options, fileAccess);
    const submitted = client.submit({ 1: { class_type: 'X', inputs: {} } }, { partnerKey: true })();
    await platform.clock.advance(20_000);
    const job = await submitted;
    if (E.isLeft(job)) throw job.left;
    expect(platform.requests.some(({ json: body }) => body?.includes(canary) === true)).toBe(true);
    const state = await firstValueFrom(job.right.states);
    expectHidden([job.right, job.right.promptId, state, client.recent]);
    await client.close();
  });

  it('H1 is in no complaint about options', () => {
    const bad = [
      { ...options, apiKey: `${canary}\n` + canary },
      { ...options, apiKey: `${canary} ${canary}` },
      { ...options, apiKey: `ключ${canary}` },
      { ...options, baseUrl: `https://${canary}@service.example` },
      { ...options, baseUrl: `https://service.example/?token=${canary}` },
      { ...options, baseUrl: canary },
      { ...options, baseUrl: `ftp://${canary}` },
      { ...options, wsUrl: `wss://service.example/?token=${canary}` },
      { ...options, baseUrl: `http://${canary}.example` },
    ];
    for (const one of bad) {
      let error: unknown;
      try {
        createClientOn(fakePlatform(), one);
      } catch (cause) {
        error = cause;
      }
      expect(error).toMatchObject({ _tag: 'InvalidConfig' });
      expectHidden(error);
    }
  });

  it('H1 stays hidden after it was replaced, old and new', async () => {
    const platform = fakePlatform(() => ({ status: 400, body: `said ${canary} and next-${canary}` }));
    const client = createClientOn(platform, options, fileAccess);
    client.setKey(`next-${canary}`);
    expectHidden(await client.rest.queue()());
    await client.close();
  });

  it('H1 stays hidden where it came later and has nothing in common with the first one', async () => {
    // It begins like no key of the service, so that nothing else hides it.
    const later = 'mellow-otter/9876543210+zyx';
    for (const [, form] of encodingsOf(later)) {
      const platform = fakePlatform(() => ({ status: 400, body: { code: 'X', message: `said ${form}` } }));
      const client = createClientOn(platform, options, fileAccess);
      client.setKey(later);
      expectHidden(await client.rest.queue()(), later);
      await client.close();
    }
  });
});
