import { createServer, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/cli/listen.js';
import { UsageError } from '../../src/cli/cli-io.js';

describe('a server that listens', () => {
  const close = (server: Server): Promise<void> =>
    new Promise((resolve) => void server.close(() => resolve()));

  it('tells its address, that of IPv6 in brackets', async () => {
    const four = await listen(createServer(), { port: 0, host: '127.0.0.1' });
    expect(four.address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/u);
    await close(four.server);
    const six = await listen(createServer(), { port: 0, host: '::1' }).catch(() => undefined);
    // A machine without IPv6 has no such address.
    if (six === undefined) return;
    expect(six.address).toMatch(/^http:\/\/\[::1\]:[1-9]\d*$/u);
    await close(six.server);
  });

  it.each(['', ' '])(
    'takes no empty host (%j), which would be every address of the machine',
    async (host) => {
      const server = createServer();
      const refused = listen(server, { port: 0, host });
      await expect(refused).rejects.toBeInstanceOf(UsageError);
      await expect(refused).rejects.toThrow('--host is empty');
      expect(server.listening).toBe(false);
    },
  );

  it('says which port it can’t have, and what to do', async () => {
    const first = await listen(createServer(), { port: 0, host: '127.0.0.1' });
    const port = Number(new URL(first.address).port);
    const second = listen(createServer(), { port, host: '127.0.0.1' });
    await expect(second).rejects.toBeInstanceOf(UsageError);
    await expect(second).rejects.toThrow(
      `can't listen on 127.0.0.1 port ${port} (EADDRINUSE); --port 0 finds a free one`,
    );
    await close(first.server);
  });
});
