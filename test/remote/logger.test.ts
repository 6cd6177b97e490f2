import { aRemote } from './a-remote.js';
import { expect, it } from 'vitest';
import { loggedEntries } from '../helpers/logged-entries.js';
import { submitted } from '../gateway/support.js';

it('logs each request of a remote with its id, and how its stream fares, without its token', async () => {
  const { logger, entries } = loggedEntries();
  const token = 'a-token-of-this-caller';
  let isDown = false;
  const setting = await aRemote({
    ...{ logger, token, accepts: () => token },
    before: () => {
      if (isDown) throw new TypeError('fetch failed');
      return undefined;
    },
    after: (_, { headers }) => headers.set('x-request-id', 'edge-7'),
  });
  const { record } = await submitted(setting);
  setting.remote.follow(record.id).subscribe();
  await setting.clock.advance(1_000);
  isDown = true;
  setting.cut();
  await setting.clock.advance(1_000);

  const lines = entries.map(({ level, message }) => `${level} ${message}`);
  expect(lines.slice(0, 4)).toEqual([
    'debug The stream is idle.',
    'debug The stream is connecting.',
    'debug GET /events: 200',
    'info The stream is open.',
  ]);
  expect(entries[2]?.details).toMatchObject({ status: 200, requestId: 'edge-7' });
  expect(lines).toContain('debug GET /events: no answer');
  expect(lines.find((line) => line.startsWith('warn'))).toContain('The stream is lost: ');
  expect(JSON.stringify(entries)).not.toContain(token);
});

it('logs a refused stream as an error', async () => {
  const { logger, entries } = loggedEntries();
  const { remote, clock } = await aRemote({ logger, accepts: () => 'another' });
  remote.follow('a').subscribe({ error: () => undefined });
  await clock.advance(1_000);
  expect(entries.at(-1)).toMatchObject({ level: expect.any(String) as string });
  expect(entries.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    expect.stringContaining('The stream failed: '),
  ]);
});
