import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient } from '../src/browser.js';
import { emulated, failing, hurried, picture, submit } from './helpers/emulated.js';
import type { LogDetails, Logger } from '../src/index.js';
import { loggedEntries, type LogEntry } from './helpers/logged-entries.js';
import { promisedClient } from '../src/client/promises/promised-client.js';
import { toPromise } from '../src/core/interop/to-promise.js';
import { unrunCalls } from '../src/client/unrun-calls.js';

const textOf = (entries: readonly LogEntry[]): string => JSON.stringify(entries);

describe('the logger of a client', () => {
  it('gets requests with their ids, the connection and the job, and no key', async () => {
    const { logger, entries } = loggedEntries();
    const { newClient, emulator } = await emulated();
    const client = newClient({ logger });
    const { promptId } = await lastValueFrom(client.run(picture()));

    const submission = entries.find(({ message }) => message === 'POST /api/prompt: 200');
    expect(submission).toMatchObject({ level: 'debug', details: { status: 200 } });
    expect(submission!.details['ms']).toBeTypeOf('number');
    expect(entries).toContainEqual({
      level: 'info',
      message: `Job ${promptId} is completed.`,
      details: { promptId },
    });
    expect(entries.map(({ message }) => message)).toContain('The connection is open.');
    expect(textOf(entries)).not.toContain(emulator.apiKey);
  });

  it('gets the id that the service gave a request, and why one got no answer', async () => {
    const { logger, entries } = loggedEntries();
    const { newClient } = await emulated();
    const refused = newClient({ logger }, (platform) => ({
      request: async (request) => {
        const answer = await platform.request(request);
        return { ...answer, headers: { ...answer.headers, 'x-request-id': 'req-7' } };
      },
    }));
    await toPromise(refused.rest.user());
    expect(entries.at(-1)?.details).toMatchObject({ status: 200, requestId: 'req-7' });

    const cut = newClient({ logger }, (platform) => ({
      ...hurried(),
      request: (request) => platform.request({ ...request, url: 'http://127.0.0.1:1/' }),
    }));
    await cut.rest.user()();
    expect(entries.at(-1)).toMatchObject({ level: 'debug', message: 'GET /api/user: no answer' });
    expect(entries.at(-1)?.details['reason']).toContain('ECONNREFUSED');
  });

  it('redacts the key wherever it stands', async () => {
    const { logger, entries } = loggedEntries();
    const { newClient, emulator } = await emulated();
    const client = newClient({ logger });
    await client.rest.jobStatus(emulator.apiKey)();
    expect(entries).not.toHaveLength(0);
    expect(textOf(entries)).not.toContain(emulator.apiKey);
  });

  it('gets a failed job and a refused key as what they are', async () => {
    const { logger, entries } = loggedEntries();
    const { newClient } = await emulated();
    await lastValueFrom(newClient({ logger }).run(failing('RuntimeError')));
    expect(entries).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        details: expect.objectContaining({ failure: 'as ordered' }) as LogDetails,
      }),
    );

    const wrong = newClient({ logger, apiKey: 'comfyui-wrong-key-0123456789' }, hurried);
    await wrong.submit(picture())();
    expect(entries.filter(({ level }) => level === 'error').map(({ details }) => details['cause'])).toContain(
      'auth',
    );
  });

  it('may throw', async () => {
    const fail = (): never => {
      throw new Error('full disk');
    };
    const { newClient } = await emulated();
    const client = newClient({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
    expect((await lastValueFrom(client.run(picture()))).phase).toBe('completed');
  });

  it.each([[{}], [null], [{ ...console, warn: 'loud' }], [() => undefined]])('is no %j', (logger) => {
    expect(() => createClient({ baseUrl: 'http://127.0.0.1:8188', logger: logger as Logger })).toThrow(
      expect.objectContaining({ _tag: 'InvalidConfig', option: 'logger' }) as Error,
    );
  });
});

describe('calls that were made and never run', () => {
  it('are named once as the client closes', async () => {
    const { logger, entries } = loggedEntries();
    const { newClient } = await emulated();
    const client = newClient({ logger });
    const job = await submit(client, picture());
    await toPromise(job.outputs);
    void client.cancel(job.promptId);
    void client.cancel(job.promptId);
    void client.rest.queue();
    void job.cancel();
    await client.rest.user()();
    const run = client.rest.queue();
    await run();
    await run();
    await client.close();
    await client.close();

    const warnings = entries.filter(({ message }) => message.startsWith('Calls that were made'));
    expect(warnings).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('never run: cancel (2 times), rest.queue, job.cancel.') as string,
        details: { cancel: 2, 'rest.queue': 1, 'job.cancel': 1 },
      },
    ]);
  });

  it('are none with promises, and none that run', async () => {
    const { logger, entries } = loggedEntries();
    const { newClient } = await emulated();
    const main = newClient({ logger });
    const client = promisedClient(main);
    const job = await client.submit(picture());
    await job.outputs();
    await client.rest.queue();
    expect(client.recent).toEqual([]);
    expect(main.submissionIds).toBe('none');
    await client.close();
    expect(textOf(entries)).not.toContain('never run');
  });

  it('are not counted in production, nor without a logger', () => {
    const { logger, entries } = loggedEntries();
    for (const unrun of [unrunCalls(logger, false), unrunCalls(undefined, true)]) {
      const calls = { ask: () => () => 1 };
      expect(unrun.counted(calls)).toBe(calls);
      unrun.report();
    }
    expect(entries).toEqual([]);
  });
});
