import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type CreateClientOptions, toPromise } from '../src/node.js';
import { type EmulatorOptions, startEmulator } from '../src/emulator.js';

/** An emulator, and a client of it with these options. */
const service = async (more: Partial<CreateClientOptions> = {}, options: EmulatorOptions = {}) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  const client = createClient({ ...emulator, ...more });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { emulator, client };
};

const E1 = (code: string, more: object = {}) => ({ code, message: 'No.', ...more });
const E2 = (type: string, more: object = {}) => ({ error: { type, message: 'No.', ...more } });

const kinds = { ...E2('auth_type_not_allowed'), accepted: ['oauth', 'session'] };
const classes = E2('PARTNER_NODE_DISABLED', { class_types: ['Kling'], providers: ['k'] });

/** The refusals of a service, each with what the client makes of it and what its hint names. */
const refusals: readonly (readonly [
  status: number,
  body: object,
  tag: string,
  hint: RegExp,
  message: RegExp,
])[] = [
  [402, E2('PAYMENT_REQUIRED'), 'InsufficientCredits', /Add credits to the account/u, /No\./u],
  [402, E2('CLOUD_SUBSCRIPTION_REQUIRED'), 'SubscriptionInactive', /the plan/u, /No\./u],
  [402, E2('FREE_TIER_EXHAUSTED'), 'SubscriptionInactive', /used up/u, /No\./u],
  [402, E2('FREE_TIER_NOT_ALLOWED'), 'SubscriptionInactive', /free tier/u, /No\./u],
  [402, E2('PARTNER_NODE_PAYMENT_REQUIRED'), 'InsufficientCredits', /take these nodes out/u, /No\./u],
  [402, E2('MODEL_PAYMENT_REQUIRED'), 'InsufficientCredits', /this model/u, /No\./u],
  [400, E1('workspace_id_invalid'), 'BadRequest', /option workspace/u, /No\./u],
  [403, E1('workspace_access_denied'), 'Forbidden', /option workspace/u, /No\./u],
  [403, E1('no_workspace_access'), 'Forbidden', /Join or create/u, /No\./u],
  [
    403,
    E1('sso_required', { organization_id: 'org-7' }),
    'Forbidden',
    /organisation/u,
    /organization_id: org-7/u,
  ],
  [403, kinds, 'Forbidden', /option auth/u, /accepted: oauth, session/u],
  [403, E1('origin_not_allowed'), 'Forbidden', /API key/u, /No\./u],
  [403, E1('cross_site_request'), 'Forbidden', /API key/u, /No\./u],
  [403, E1('csrf_invalid'), 'Forbidden', /API key/u, /No\./u],
  [403, E1('FORBIDDEN'), 'Forbidden', /Check the plan/u, /No\./u],
  [403, classes, 'Forbidden', /owner of the workspace/u, /class_types: Kling/u],
];

describe('a refusal of account, plan or workspace', () => {
  it.each(refusals)(
    '%i %j is never retried, and its hint says what to do',
    async (status, body, tag, hint, message) => {
      const { emulator, client } = await service();
      const headers = { 'content-type': 'application/json' };
      emulator.answerOnce('POST', '/api/prompt', { status, headers, body: JSON.stringify(body) });
      const answer = await client.rest.submit({ 1: { class_type: 'SlowNode', inputs: { steps: 1 } } })();
      expect(answer).toMatchObject({ _tag: 'Left', left: { _tag: tag, status, retry: 'never' } });
      if (answer._tag === 'Right') return;
      expect(answer.left.hint).toMatch(hint);
      expect(answer.left.message).toMatch(message);
      expect(emulator.requests.filter(({ url }) => url === '/api/prompt')).toHaveLength(1);
    },
  );

  it('is not asked again of a read, though the service has accepted the key', async () => {
    const { emulator, client } = await service();
    await toPromise(client.rest.user());
    const body = JSON.stringify(E1('sso_required'));
    emulator.answerOnce('GET', '/api/queue', {
      status: 403,
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(await client.rest.queue()()).toMatchObject({ _tag: 'Left', left: { errorType: 'sso_required' } });
    expect(emulator.requests.filter(({ url }) => url === '/api/queue')).toHaveLength(1);
  });

  it('of paid nodes stops no other workflow', async () => {
    const { client } = await service({}, { profile: '2026-11', switches: { partnerNodes: 'refused' } });
    const save = { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } };
    const paid = { 1: { class_type: 'PartnerImageNode', inputs: { prompt: '', seed: 1 } }, 2: save };
    const picture = { width: 64, height: 64, batch_size: 1, color: 0 };
    const free = { 1: { class_type: 'EmptyImage', inputs: picture }, 2: save };
    expect(await client.rest.submit(paid)()).toMatchObject({
      left: { _tag: 'InsufficientCredits', errorType: 'PARTNER_NODE_PAYMENT_REQUIRED' },
    });
    expect((await client.rest.submit(free)())._tag).toBe('Right');
  });
});

describe('how a client sends its key', () => {
  it('is a header of its own, or Authorization: Bearer', async () => {
    for (const [auth, name, value] of [
      ['key', 'x-api-key', (key: string) => key],
      ['bearer', 'authorization', (key: string) => `Bearer ${key}`],
    ] as const) {
      const { emulator, client } = await service({ auth });
      expect((await client.rest.user()())._tag).toBe('Right');
      const headers = emulator.requests.at(-1)?.headers ?? {};
      expect(headers[name]).toBe(value(emulator.apiKey));
      expect('x-api-key' in headers && 'authorization' in headers).toBe(false);
    }
  });

  it('names a workspace with each call and to the socket', async () => {
    const { emulator, client } = await service({ workspace: 'ws-7' });
    await toPromise(client.rest.user());
    expect(emulator.requests.at(-1)?.headers['x-comfy-workspace-id']).toBe('ws-7');
    const job = await toPromise(client.submit({ 1: { class_type: 'SlowNode', inputs: { steps: 1 } } }));
    await job.outputs();
    expect(emulator.requests.find(({ url }) => url.startsWith('/ws'))?.url).toContain('workspace_id=ws-7');
  });

  it('names it with the streams of API v2 as well', async () => {
    const { emulator, client } = await service({ workspace: 'ws-7', dialect: 'v2' }, { dialect: 'v2' });
    const job = await toPromise(client.submit({ 1: { class_type: 'SlowNode', inputs: { steps: 1 } } }));
    await job.outputs();
    const streams = emulator.requests.filter(({ url }) => url.endsWith('/events'));
    expect(streams.map(({ headers }) => headers['x-comfy-workspace-id'])).toContain('ws-7');
    expect(streams.every(({ headers }) => headers['x-comfy-workspace-id'] === 'ws-7')).toBe(true);
  });

  it.each([{ auth: 'basic' }, { workspace: 'a b' }, { workspace: '' }])('refuses %o', (options) => {
    expect(() => createClient({ baseUrl: 'http://127.0.0.1:1', ...(options as object) })).toThrow(
      expect.objectContaining({ _tag: 'InvalidConfig', option: Object.keys(options)[0] }) as Error,
    );
  });
});
