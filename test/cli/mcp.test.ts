import { describe, expect, it, onTestFinished } from 'vitest';
import { decodePicture } from '../../src/cli/picture/decode-picture.js';
import { exampleWorkflows } from '../../src/examples.js';
import { newHost, overStreams } from '../mcp/helpers/mcp-host.js';
import { PassThrough } from 'node:stream';
import { readAll } from '../mcp/helpers/read-result.js';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '../../src/cli/program.js';
import { shrinkToBytes } from '../../src/cli/picture/shrink-to-bytes.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { PNG } from 'pngjs';
import { NEVER, asyncScheduler } from 'rxjs';
import { workspace } from './helpers/workspace.js';

const inputs = { prompt: 'a lighthouse', seed: 7, width: 64, height: 64, steps: 2 };
const call = { name: 'run_template', arguments: { name: 'picture', inputs } };

describe('promptwire mcp', () => {
  it('serves a host over standard input and output, and saves into --out alone', async () => {
    const { env, dir, file } = await workspace();
    const { workflow, inputs: targets } = exampleWorkflows['text-to-image'];
    const template = await file('picture.json', { workflow, inputs: targets });
    const out = join(dir, 'made');
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    let lines = '';
    stdout.on('data', (chunk: Buffer) => (lines += chunk.toString()));
    const exit = runCli(['mcp', '--template', `picture=${template}`, '--out', out], {
      ...{ stdin, stdout, stderr, env, isTTY: false, showsResults: false, asks: false },
      ...{ columns: () => 80, rows: () => 24, uptimeMs: () => 0, scheduler: asyncScheduler, signals: NEVER },
    });
    const host = newHost();
    await host.connect(overStreams(stdin, stdout));
    const made = await host.callTool(call);
    expect(readAll(made).types).toEqual(['text', 'image', 'resource_link']);
    const [name = ''] = await readdir(out);
    expect(made.content.at(-1)).toMatchObject({
      uri: expect.stringMatching(`^file://.*/made/${name}$`) as unknown,
    });
    stdin.end();
    expect(await exit).toBe(0);
    expect(lines.split('\n').every((line) => line === '' || line.startsWith('{"'))).toBe(true);
  });

  it('serves hosts with a token over HTTP, before many servers', async () => {
    const { cli } = await workspace();
    const { emulator: engine } = await workspace({ dialect: 'local' });
    const running = cli(['mcp', '--port', '0', '--server', engine.baseUrl], {
      env: { PROMPTWIRE_GATEWAY_TOKENS: 'model:token-of-the-model' },
    });
    await running.printed('listening on');
    const url = new URL(/listening on (http:\S+\/mcp)/u.exec(running.stdout())?.[1] ?? '');
    const connect = async (token: string) => {
      const host = newHost();
      await host.connect(
        new StreamableHTTPClientTransport(url, {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        }),
      );
      return host;
    };
    onTestFinished(async () => {
      running.signal('SIGTERM');
      await running.exit;
    });
    await expect(connect('another-token')).rejects.toThrow();
    const host = await connect('token-of-the-model');
    expect((await host.listTools()).tools).toHaveLength(11);
    expect(readAll(await host.callTool({ name: 'list_jobs', arguments: {} })).job).toEqual({ jobs: [] });
    await host.close();
    expect((await fetch(new URL('/elsewhere', url))).status).toBe(404);
    expect(running.stdout() + running.stderr()).not.toContain('token-of');
  });

  it.each([
    [['--json'], 'leave --json out'],
    [['--port', '0', '--host', '0.0.0.0'], 'without tokens everyone'],
    [['--gateway', 'http://127.0.0.1:1', '--template', 'a=b'], 'leave --template out'],
    [['--gateway', 'nonsense'], '--gateway takes an address'],
    [['--gateway-token-file', 'a'], 'needs --gateway'],
    [
      ['--gateway', 'http://127.0.0.1:1', '--server', 'http://127.0.0.1:2'],
      'leave --base-url and --server out',
    ],
  ])('refuses %j', async (flags, message) => {
    const { cli } = await workspace();
    const running = cli(['mcp', ...flags]);
    expect(await running.exit).toBe(2);
    expect(running.stdout() + running.stderr()).toContain(message);
  });

  it('scales a picture until it fits', () => {
    const png = new PNG({ width: 300, height: 200 });
    png.data.forEach((_, at) => (png.data[at] = (at * 7919) % 251));
    const large = PNG.sync.write(png);
    const small = shrinkToBytes(large, 8_000);
    expect(small?.bytes.length).toBeLessThanOrEqual(8_000);
    const { width = 0, height = 1 } = decodePicture(small!.bytes) ?? {};
    expect(width / height).toBeCloseTo(1.5, 1);
    expect(shrinkToBytes(Buffer.from('no picture'), 8_000)).toBeUndefined();
    expect(shrinkToBytes(large, 10)).toBeUndefined();
  });
});
