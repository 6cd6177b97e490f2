import { describe, expect, it, onTestFinished } from 'vitest';
import { bearerTokens, createGateway, type Gateway, type GatewayOptions } from '../../../src/gateway.js';
import { createClient } from '../../../src/node.js';
import { describedBy } from './described.js';
import { descriptions } from '../../../src/server/gateway/routes/descriptions.js';
import { playedTarget } from '../webhooks/support.js';
import { startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { template } from '../../../src/workflow.js';

const workflow = textToImageWorkflow({ steps: 2, width: 64, height: 64 });

const withEmulator = async (options: Partial<GatewayOptions> = {}): Promise<Gateway> => {
  const emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  const client = createClient(emulator);
  const made = template(workflow, { seed: { class: 'KSampler', input: 'seed' } });
  if (made._tag === 'Left') throw made.left;
  const gateway = createGateway({
    ...{ client, authorize: bearerTokens({ ann: 'token' }), templates: { picture: made.right } },
    ...options,
  });
  onTestFinished(async () => {
    await gateway.close();
    await client.close();
    await emulator.close();
  });
  return gateway;
};

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const documentOf = async (gateway: Gateway, base = 'http://h'): Promise<Document> =>
  (await (await gateway.fetch(new Request(`${base}/openapi.json`))).json()) as Document;

describe('the description of a gateway', () => {
  it('has every route, each once, and no other', async () => {
    const document = await documentOf(await withEmulator());
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`,
      ),
    );
    expect(described.toSorted()).toEqual(Object.keys(descriptions).toSorted());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.openapi).toBe('3.1.0');
  });

  it('finds what it does not have', async () => {
    const check = describedBy(await documentOf(await withEmulator()));
    const json = { status: 200, contentType: 'application/json' };
    expect(check('GET', '/healthz', { ...json, text: '{"status":"ok"}' })).toBeUndefined();
    expect(check('GET', '/healthz', { ...json, text: '{"status":"ok","more":1}' })).toContain('/healthz');
    expect(check('GET', '/healthz', { ...json, status: 201, text: '' })).toContain('status 201');
    expect(check('GET', '/jobs', { ...json, contentType: 'text/html', text: '' })).toContain('text/html');
  });

  it('needs no token, and names the server where its reader reached it', async () => {
    const gateway = await withEmulator({ mount: '/comfy' });
    const document = await documentOf(gateway, 'http://h:8080/comfy');
    expect(document.servers).toEqual([{ url: 'http://h:8080/comfy' }]);
  });

  it('is what a job’s whole way through the gateway is answered by', async () => {
    const gateway = await withEmulator({ webhooks: { sender: playedTarget() } });
    const check = describedBy(await documentOf(gateway));
    const problems: string[] = [];
    const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = { authorization: 'Bearer token', ...(init.headers as Record<string, string>) };
      const response = await gateway.fetch(new Request(`http://h${path}`, { ...init, method, headers }));
      const answer = {
        status: response.status,
        contentType: response.headers.get('content-type'),
        text: await response.clone().text(),
      };
      const problem = check(method, new URL(`http://h${path}`).pathname, answer);
      if (problem !== undefined) problems.push(problem);
      return response;
    };
    const sent = (body: unknown): RequestInit => ({
      ...{ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    });
    const ndjson = { headers: { accept: 'application/x-ndjson' } };
    const idOf = async (response: Promise<Response>) =>
      ((await (await response).json()) as { id: string }).id;

    const id = await idOf(ask('POST', '/api/v2/jobs', sent({ workflow, metadata: { of: 'ann' } })));
    await ask('GET', `/jobs/${id}/events?from=start`, ndjson);
    await ask('GET', `/api/v2/jobs/${id}/events?from=start`, ndjson);
    await ask('GET', `/jobs/${id}/events`, ndjson);
    const again = await idOf(ask('POST', '/templates/picture', sent({ inputs: { seed: 3 } })));
    await ask('GET', `/jobs/${again}/events`, ndjson);
    const { files } = (await (await ask('GET', `/jobs/${id}`)).json()) as {
      readonly files: readonly { readonly id: string }[];
    };
    expect(files.length).toBeGreaterThan(0);
    await ask('GET', `/jobs/${id}/outputs/${files[0]!.id}`);
    await ask('GET', `/jobs/${id}/outputs/${files[0]!.id}`, { headers: { range: 'bytes=0-3' } });
    await ask('GET', `/api/v2/assets/${files[0]!.id}`);
    await ask('GET', `/api/v2/assets/${files[0]!.id}/content`);
    for (const path of ['/jobs', '/api/v2/jobs', `/api/v2/jobs/${id}`, `/api/v2/jobs/${id}/workflow`])
      await ask('GET', path);
    await ask('GET', `/api/v2/jobs/${id}/logs`);
    await ask('POST', `/jobs/${id}/cancel`);
    await ask('POST', `/api/v2/jobs/${id}/cancel`);
    const asset = await ask('POST', '/uploads?filename=a.txt', { body: 'abc' });
    const { asset: uploaded } = (await asset.json()) as { asset: { id: string; hash: string } };
    await ask('GET', `/api/v2/assets/${uploaded.id}`);
    await ask('HEAD', `/api/v2/assets/by-hash/${uploaded.hash}`);
    await ask('POST', '/api/v2/assets/from-hash', sent({ hash: uploaded.hash, file_path: 'b.txt' }));
    await ask('DELETE', `/api/v2/assets/${uploaded.id}`);
    await ask('GET', '/templates');
    await ask('POST', '/watch-tokens', sent({ job: id, seconds: 10 }));
    const secrets = [`whsec_${btoa('a'.repeat(24))}`];
    await ask('PUT', '/webhooks', sent({ url: 'https://example.org/', secrets }));
    await ask('GET', '/webhooks');
    await ask('DELETE', '/webhooks');
    await ask('GET', '/webhooks');
    for (const path of ['/healthz', '/readyz', '/openapi.json']) await ask('GET', path);
    // Refusals.
    await ask('POST', '/api/v2/jobs', sent({ workflow: {} }));
    await ask('POST', '/templates/picture', sent({ inputs: { seed: 'x' } }));
    await ask('GET', '/jobs/unknown');
    await ask('GET', '/jobs?limit=0');
    await ask('GET', '/api/v2/jobs', { headers: { authorization: 'Bearer other' } });
    expect(problems).toEqual([]);
  });
});
