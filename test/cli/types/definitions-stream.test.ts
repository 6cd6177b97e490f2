import { expect, it } from 'vitest';
import { streamedDefinitions } from '../../../src/cli/types/definitions-stream.js';
import { createClient } from '../../../src/node.js';
import { httpServer } from '../../helpers/http-server.js';

it('gives up a service that falls silent in the middle of its node classes', async () => {
  await using server = await httpServer((_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"A": {');
  });
  const options = { baseUrl: server.origin, dialect: 'local' } as const;
  await using client = createClient(options);
  const session = {
    settings: () => Promise.resolve(options),
    connect: () => Promise.resolve(client),
    stop: new AbortController().signal,
  };
  const texts: string[] = [];
  const reading = (async () => {
    for await (const bytes of streamedDefinitions(session, 1000)) texts.push(Buffer.from(bytes).toString());
  })();
  await expect(reading).rejects.toMatchObject({ _tag: 'Network', code: 'ETIMEDOUT' });
  expect(texts.join('')).toBe('{"A": {');
});
