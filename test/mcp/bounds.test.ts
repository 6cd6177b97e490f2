import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcp } from '../../src/mcp.js';
import { bearerTokens, createGateway } from '../../src/gateway.js';
import { createPool } from '../../src/pool.js';
import { emulated, picture, slow } from '../helpers/emulated.js';
import { exampleTemplates } from '../../src/examples.js';
import { filter, firstValueFrom } from 'rxjs';
import { isTerminal } from '../../src/index.js';
import { loadSdk } from '../../src/server/mcp/sdk/load-sdk.js';
import { newHost, overHttp, overStdio } from './helpers/mcp-host.js';
import { readAll } from './helpers/read-result.js';

const paid = {
  1: { class_type: 'PartnerImageNode', inputs: { prompt: 'a boat', seed: 1 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'boat' } },
};

const small = { prompt: 'a lighthouse', seed: 7, width: 64, height: 64, steps: 2 };

const submissions = (requests: readonly { readonly method: string; readonly url: string }[]): number =>
  requests.filter(({ method, url }) => method === 'POST' && url === '/api/prompt').length;

describe('the bounds of promptwire/mcp', () => {
  it('submit no more jobs than the person allows', async () => {
    const { client, emulator } = await emulated();
    const host = await overStdio({ client, maxJobs: 1 });
    const run = async () =>
      readAll(await host.callTool({ name: 'run_workflow', arguments: { workflow: picture() } }));
    expect((await run()).isError).toBe(false);
    const refused = await run();
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining('at most 1 job') as unknown,
    ]);
    expect(submissions(emulator.requests)).toBe(1);
  });

  it('run a workflow of a class that the service replaces', async () => {
    const { client, emulator } = await emulated({ profile: '2026-11' });
    const inputs = { width: 64, height: 64, batch_size: 1, color: 0 };
    const workflow = {
      1: { class_type: 'EmptyImage', inputs },
      2: { class_type: 'ResizeImagesByLongerEdge', inputs: { images: ['1', 0], longer_edge: 32 } },
      3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'a' } },
    };
    const host = await overStdio({ client });
    const run = async (graph: object) =>
      readAll(await host.callTool({ name: 'run_workflow', arguments: { workflow: graph } }));
    expect((await run(workflow)).job).toMatchObject({ phase: 'completed' });
    const lost = { ...workflow, 2: { ...workflow[2], class_type: 'NoSuchClass' } };
    expect((await run(lost)).text).toContain('NoSuchClass');
    expect(submissions(emulator.requests)).toBe(1);
  });

  it.each(['legacy', 'auto'] as const)('ask a person before a paid node: %s', async (line) => {
    const { client, emulator } = await emulated();
    const mcp = await createMcp({ client });
    const asked: string[] = [];
    const run = async (answer?: 'accept' | 'decline') => {
      const how = {
        line,
        ...(answer !== undefined && {
          answer: (message: string) => {
            asked.push(message);
            return answer;
          },
        }),
      };
      const results = [];
      for (const host of [await overStdio(mcp, how), await overHttp(mcp, how)])
        results.push(readAll(await host.callTool({ name: 'run_workflow', arguments: { workflow: paid } })));
      return results;
    };
    expect((await run('decline')).map(({ isError }) => isError)).toEqual([true, true]);
    expect((await run()).map(({ text }) => /this host can't ask/u.test(text))).toEqual([true, true]);
    expect(submissions(emulator.requests)).toBe(0);
    // The service of the tests has no partner, which it says once the job runs.
    expect((await run('accept')).map(({ job }) => job)).toMatchObject([
      { phase: 'failed' },
      { phase: 'failed' },
    ]);
    expect(submissions(emulator.requests)).toBe(2);
    expect(asked).toHaveLength(4);
    expect(asked[0]).toContain('PartnerImageNode (node 1)');
  });

  it.each([
    ['stdio', 'cancel'],
    ['http', 'cancel'],
    ['stdio', 'detach'],
  ] as const)(
    'end the request where the host cancels it, over %s, and the job: %s',
    async (transport, onCancelled) => {
      const { client } = await emulated({ profile: '2026-11' });
      const mcp = await createMcp({ client, onCancelled });
      const host = await (transport === 'stdio' ? overStdio(mcp) : overHttp(mcp));
      const stop = new AbortController();
      const call = host
        .callTool(
          { name: 'run_workflow', arguments: { workflow: slow(), wait_seconds: 3600 } },
          {
            signal: stop.signal,
            onprogress: ({ message = '' }) => message.startsWith('in_progress') && stop.abort(),
          },
        )
        .catch(() => 'cancelled');
      expect(await call).toBe('cancelled');
      const job = await firstValueFrom(client.jobs());
      if (onCancelled === 'cancel') {
        const end = await firstValueFrom(
          client.follow(job.promptId).pipe(filter(({ phase }) => isTerminal(phase))),
        );
        expect(end.phase).toBe('cancelled');
      } else {
        const state = await firstValueFrom(client.follow(job.promptId));
        expect(state.phase).toBe('in_progress');
      }
    },
  );

  it('give a large picture smaller or not at all, and a link to the whole file', async () => {
    const { client } = await emulated();
    const run = async (shrink?: () => { bytes: Uint8Array; mediaType: string }) => {
      const host = await overStdio({ client, maxImageBytes: 500, ...(shrink && { shrink }) });
      return readAll(await host.callTool({ name: 'run_workflow', arguments: { workflow: picture() } }));
    };
    expect((await run()).types).toEqual(['text', 'resource_link']);
    const bytes = Uint8Array.of(1, 2, 3);
    expect((await run(() => ({ bytes, mediaType: 'image/jpeg' }))).types).toEqual([
      'text',
      'image',
      'resource_link',
    ]);
  });

  it('save files under names of their own where the person gives a place', async () => {
    const { client } = await emulated();
    const saved: string[] = [];
    const save = (name: string) => {
      saved.push(name);
      return Promise.resolve(`file:///pictures/${name}`);
    };
    const host = await overStdio({ client, save });
    const { content } = await host.callTool({ name: 'run_workflow', arguments: { workflow: picture() } });
    expect(saved).toEqual([expect.stringMatching(/^[\da-f]{8}-0-[\w.]+\.png$/u)]);
    expect(content.at(-1)).toMatchObject({ type: 'resource_link', uri: `file:///pictures/${saved[0]!}` });
  });

  it('name their callers over HTTP, and refuse others', async () => {
    const { client } = await emulated();
    const mcp = await createMcp({ client });
    await expect(overHttp(mcp, { token: 'another' })).rejects.toThrow();
    const open = mcp.http(() => ({ name: 'local' }), { loopbackOnly: true });
    onTestFinished(() => open.close());
    const answer = await open.fetch(
      new Request('http://evil.test/mcp', { method: 'POST', headers: { host: 'evil.test' } }),
    );
    expect(answer.status).toBe(403);
  });

  it('are served by the official adapter of Node.js as well', async () => {
    const { client } = await emulated();
    const mcp = await createMcp({ client });
    const http = mcp.http(() => ({ name: 'local' }), { loopbackOnly: true });
    const server = createServer((request, response) => void toNodeHandler(http)(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const host = newHost();
    await host.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
    expect((await host.listTools()).tools).toHaveLength(11);
    await host.close();
    await http.close();
  });

  it('go through a gateway, with its templates', async () => {
    const { client } = await emulated();
    const gateway = createGateway({
      client,
      authorize: bearerTokens({ model: 'token-of-the-model' }),
      templates: exampleTemplates(),
    });
    onTestFinished(() => gateway.close());
    const fetch = (input: RequestInfo | URL, init?: RequestInit) => gateway.fetch(new Request(input, init));
    const host = await overStdio({
      gateway: { url: 'http://gateway.test', token: 'token-of-the-model', fetch },
    });
    const call = async (name: string, args = {}) => readAll(await host.callTool({ name, arguments: args }));
    const made = await call('run_template', { name: 'text-to-image', inputs: small });
    expect(made.types).toEqual(['text', 'image', 'resource_link']);
    expect((await call('list_jobs')).job).toMatchObject({ jobs: [{ template: 'text-to-image' }] });
    expect((await call('run_workflow', { workflow: picture() })).job).toMatchObject({ phase: 'completed' });
    expect((await call('find_nodes', { query: 'save image' })).text).toContain('SaveImage');
  });

  it('go through a pool', async () => {
    const { emulator } = await emulated({ profile: '2026-11' });
    const pool = createPool({
      servers: [{ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey, name: 'attic' }],
    });
    onTestFinished(() => pool.close());
    const host = await overStdio({ pool, templates: exampleTemplates() });
    const call = async (name: string, args = {}) => readAll(await host.callTool({ name, arguments: args }));
    expect((await call('run_template', { name: 'text-to-image', inputs: small })).types).toEqual([
      ...['text', 'image', 'resource_link'],
    ]);
    expect((await call('list_jobs')).job).toMatchObject({ jobs: [{ server: 'attic' }] });
    expect((await call('find_nodes', { query: 'KSampler', kind: 'nodes' })).isError).toBe(false);
  });

  it('say what is missing: the package, or what runs the jobs', async () => {
    await expect(loadSdk(() => Promise.reject(new Error('not found')))).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      hint: expect.stringContaining('npm install @modelcontextprotocol/server') as unknown,
    });
    await expect(createMcp({})).rejects.toMatchObject({ _tag: 'InvalidConfig' });
  });
});
