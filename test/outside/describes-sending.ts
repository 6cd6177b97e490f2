import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { httpServer } from '../helpers/http-server.js';

const root = join(import.meta.dirname, '..', '..');

/** More than what the buffers of both ends hold. */
const size = 24 * 1024 * 1024;

/** Sends a large body by the runtime's own platform, and prints what it was told of it and what came of it. */
const sends = (entry: string, url: string, leaves: boolean): string => `
  import { defaultPlatform } from './${entry}';
  const platform = defaultPlatform();
  let [pieces, bytes, sent, isLast] = [0, 0, 0, false];
  const gone = new AbortController();
  const answer = await platform
    .request({
      method: 'POST',
      url: '${url}',
      headers: { 'content-type': 'application/json' },
      json: JSON.stringify('x'.repeat(${size} - 2)),
      signal: gone.signal,
      onProgress: (count) => {
        [pieces, bytes, isLast] = [pieces + 1, bytes + count, false];
        if (${leaves}) gone.abort(new Error('enough'));
      },
      onSent: () => {
        [sent, isLast] = [sent + 1, true];
      },
    })
    .then(({ status }) => ({ status }), ({ sent, message }) => (sent === undefined ? { message } : { sent }));
  console.log(JSON.stringify({ pieces, bytes, told: sent, isLast, answer }));
  await platform.close?.();
`;

/** What a platform told of a body. */
interface Told {
  readonly pieces: number;
  readonly bytes: number;
  /** How often it said that the last byte has left. */
  readonly told: number;
  readonly isLast: boolean;
  readonly answer: { readonly status?: number; readonly sent?: boolean; readonly message?: string };
}

/** Describes what a runtime tells of a body that it sends; `entry` is the package's for it. */
export const describesSending = (runtime: string, entry: string, ...args: readonly string[]): void => {
  const outcomeOf = async (url: string, leaves = false): Promise<Told> => {
    const folder = await mkdtemp(join(tmpdir(), 'sending-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { outputFiles } = await build({
      stdin: { contents: sends(entry, url, leaves), resolveDir: root, loader: 'ts' },
      ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    await writeFile(join(folder, 'sends.mjs'), outputFiles[0]?.text ?? '');
    const { stdout } = await promisify(execFile)(runtime, [...args, join(folder, 'sends.mjs')]);
    return JSON.parse(stdout) as Told;
  };

  /** A server that reads the first piece of a body and nothing more; `then` gets the connection. */
  const stuckAt = async (then: (end: () => void) => void): Promise<string> => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.pause();
        then(() => socket.resetAndDestroy());
      });
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  it('N2: tells each piece of a large body that has left, and then once that the last one has', async () => {
    await using server = await httpServer((_, response) => void response.end('ok'));
    const { pieces, bytes, told, isLast, answer } = await outcomeOf(`${server.origin}/`);
    expect(answer).toEqual({ status: 200 });
    expect(server.seen[0]?.body.length).toBe(size);
    expect([told, isLast]).toEqual([1, true]);
    expect(pieces).toBeGreaterThan(10);
    expect(size - bytes).toBeLessThanOrEqual(64 * 1024);
    expect(bytes).toBeLessThanOrEqual(size);
  });

  it('N2: knows of a body that is cut before its end that it did not leave whole', async () => {
    const { bytes, told, answer } = await outcomeOf(await stuckAt((end) => end()));
    expect(answer).toEqual({ sent: false });
    expect(told).toBe(0);
    expect(bytes).toBeLessThan(size);
  });

  it('N2: does not take a body for sent whose sender leaves after its first piece', async () => {
    const { told, answer } = await outcomeOf(await stuckAt(() => undefined), true);
    expect(answer).toEqual({ message: 'enough' });
    expect(told).toBe(0);
  });
};
