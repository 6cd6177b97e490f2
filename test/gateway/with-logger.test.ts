import { createClient } from '../../src/node.js';
import { createGateway } from '../../src/server/gateway/create-gateway.js';
import { expect, it } from 'vitest';
import type { Logger } from '../../src/core/log/logger.js';
import { loggedEntries } from '../helpers/logged-entries.js';
import { memoryJobIndex } from '../../src/server/gateway/store/memory-job-index.js';

const options = { baseUrl: 'http://127.0.0.1:8188', dialect: 'local' } as const;

it('logs each request with the id that a proxy gave it, and no ticket of its query', async () => {
  await using client = createClient(options);
  const { logger, entries } = loggedEntries();
  const seen: unknown[] = [];
  const authorize = (): { name: string } => ({ name: 'ann' });
  await using gateway = createGateway({ client, authorize, logger, accessLog: (entry) => seen.push(entry) });
  const headers = { 'x-request-id': 'edge-1', authorization: 'Bearer private' };
  await gateway.fetch(new Request('http://h/jobs?ticket=private', { headers }));
  await gateway.fetch(new Request('http://h/healthz', { headers: { 'x-request-id': 'two words' } }));

  const [jobs, health] = entries;
  expect(jobs).toMatchObject({ level: 'debug', message: 'GET /jobs: 200' });
  expect(jobs?.details).toMatchObject({ status: 200, caller: 'ann', requestId: 'edge-1' });
  expect(health?.details).not.toHaveProperty('requestId');
  expect(JSON.stringify(entries)).not.toContain('private');
  expect(seen).toHaveLength(2);
});

it('logs what a handler threw as an error', async () => {
  await using client = createClient(options);
  const { logger, entries } = loggedEntries();
  const errors: unknown[] = [];
  const index = { ...memoryJobIndex(), list: () => Promise.reject(new Error('The disk is gone.')) };
  const gateway = createGateway({
    ...{ client, logger, index, authorize: () => ({ name: 'ann' }) },
    onError: (error) => errors.push(error),
  });
  await gateway.fetch(new Request('http://h/jobs'));
  expect(entries.map(({ level, message }) => [level, message])).toContainEqual([
    'error',
    'A handler threw: Error: The disk is gone.',
  ]);
  expect(errors).toHaveLength(1);
});

it('takes no other logger', async () => {
  await using client = createClient(options);
  const logger = { log: () => undefined } as unknown as Logger;
  expect(() => createGateway({ client, logger, authorize: () => undefined })).toThrow(
    expect.objectContaining({ _tag: 'InvalidConfig', option: 'logger' }) as Error,
  );
});
