import { bundledFile } from '../helpers/bundle-program.js';
import { describeRedis } from '../queue/describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command as a process of its own: what keeps a process alive shows in no other way. */
const start = async (argv: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [await bundledFile(main, { withPackages: true }), ...argv], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  let text = '';
  /** Resolves with the first match in what the command prints; rejects where it ends before. */
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const [found] = pattern.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      void exited.then(() => reject(new Error(`It ended before it printed ${pattern}:\n${text}`)));
      look();
    });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').prependListener('data', (part: string) => (text += part));
  return { child, exited, printed };
};

describeRedis(
  (server) => {
    it.each([
      [['--trust-proxy', 'proxy.local'], 'A proxy is an address'],
      [['--mount', 'comfy'], 'mount is a path'],
      [['--input-origin', 'files.example'], '--input-origin takes an origin'],
      [['--watch-secret-file', '/nowhere/at/all'], "can't read /nowhere/at/all"],
      [['--webhooks'], 'webhooks needs an index'],
    ])('T11 a gateway over Redis that can’t serve ends with 2: %j', async (flags, words) => {
      const { env } = await workspace();
      const redis = { ...env, PROMPTWIRE_REDIS_URL: `redis://127.0.0.1:${server().port}` };
      const serving = await start(['serve', '--name', 'refused', '--port', '0', ...flags], redis);
      await serving.printed(new RegExp(words, 'u'));
      expect(await serving.exited).toEqual([2, null]);
    });

    it('Q7 a gateway with an open stream and a worker end with 0 at SIGTERM while Redis is away', async () => {
      const { env } = await workspace();
      const redis = { ...env, PROMPTWIRE_REDIS_URL: `redis://127.0.0.1:${server().port}` };
      const serving = await start(['serve', '--name', 'away', '--port', '0'], redis);
      const working = await start(['worker', '--name', 'idle'], redis);
      const base = (await serving.printed(/listening on http:\S+/u)).replace('listening on ', '');
      await working.printed(/working on idle/u);
      const submitted = await fetch(`${base}/api/v2/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ workflow: textToImageWorkflow() }),
      });
      expect(submitted.status).toBe(201);
      const { id } = (await submitted.json()) as { readonly id: string };
      const events = await fetch(`${base}/jobs/${id}/events`);

      await server().kill();
      for (const { printed } of [serving, working]) await printed(/can't be used for 3 s now/u);
      for (const { child } of [serving, working]) child.kill('SIGTERM');

      expect(await serving.exited).toEqual([0, null]);
      expect(await working.exited).toEqual([0, null]);
      expect(await events.text()).toContain('event: reconnect');
    });
  },
  { isDurable: true },
);
