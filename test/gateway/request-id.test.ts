import { createClient } from '../../src/node.js';
import { createGateway } from '../../src/gateway.js';
import { createRemote } from '../../src/remote.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fault, startEmulator } from '../../src/emulator.js';
import { lastValueFrom } from 'rxjs';

const workflow = { '1': { class_type: 'PreviewAny', inputs: { source: 'a' } } };

const setting = async (faults: readonly Fault[], headers: Readonly<Record<string, string>> = {}) => {
  const emulator = await startEmulator({ speed: Infinity, dialect: 'local', faults });
  const client = createClient(emulator);
  const gateway = createGateway({ client, authorize: () => ({ name: 'ann' }) });
  onTestFinished(async () => {
    await gateway.close();
    await client.close();
    await emulator.close();
  });
  const fetch: typeof globalThis.fetch = (url, init) => gateway.fetch(new Request(url, init));
  const remote = createRemote({ url: 'http://gateway.test', fetch, headers });
  onTestFinished(() => remote.close());
  return { client, gateway, remote };
};

const refusing: Fault = {
  ...{ on: 'rest', route: 'POST /prompt', do: 'answer', status: 400, times: 'every' },
  headers: { 'x-comfy-request-id': 'req-7' },
  body: '{"error":{"type":"prompt_no_outputs","message":"No.","details":"","extra_info":{}},"node_errors":{}}',
};

describe('the id that the service gives a request', () => {
  it('O6: is in the error of a page that a gateway serves, in either vocabulary', async () => {
    const { remote, gateway } = await setting([refusing]);
    await expect(lastValueFrom(remote.run(workflow))).rejects.toMatchObject({
      ...{ _tag: 'BadRequest', requestId: 'req-7' },
    });
    const answer = await gateway.fetch(
      new Request('http://gateway.test/api/v2/jobs', {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ workflow }),
      }),
    );
    expect([answer.status, answer.headers.get('x-comfy-request-id')]).toEqual([422, 'req-7']);
  });

  it('O6: is in the failure of a job of a batch', async () => {
    const { client } = await setting([refusing]);
    const { state } = await lastValueFrom(client.runAll([workflow]));
    expect(state).toMatchObject({ phase: 'failed', failure: { requestId: 'req-7' } });
  });

  it('O6: is that of the request where the gateway itself refuses it', async () => {
    const { remote, gateway } = await setting([], { 'x-request-id': 'edge-1' });
    await expect(remote.outputs('none')).rejects.toMatchObject({ _tag: 'NotFound', requestId: 'edge-1' });
    const odd = await gateway.fetch(
      new Request('http://gateway.test/none', { headers: { 'x-request-id': 'a b' } }),
    );
    expect(odd.headers.get('x-request-id')).toBeNull();
  });
});
