import { describe, expect, it } from 'vitest';
import type { AccountFault } from '../../../src/emulator.js';
import { call, listen, quick } from '../support.js';
import { faulty, settle, strikes } from './support.js';

const on = (fault: object): AccountFault => ({ on: 'account', ...fault }) as AccountFault;

const keyed = (key: string): Record<string, string> => ({ 'x-api-key': key });

describe('faults of the account', () => {
  it('E10 revoke the key of the n-th request, and leave sockets and other keys alone', async () => {
    const emulator = await faulty([on({ do: 'revoke', nth: 3 })], { acceptKeys: ['comfyui-a', 'comfyui-b'] });
    const listener = await listen(emulator);
    const statuses = [];
    for (let request = 0; request < 3; request += 1)
      statuses.push((await call(emulator, 'GET', '/api/user')).status);
    expect(statuses).toEqual([200, 401, 401]);
    await settle(listener);
    await expect(listen(emulator)).rejects.toThrow('401');
    expect((await call(emulator, 'GET', '/api/user', undefined, keyed('comfyui-b'))).status).toBe(200);
    expect(strikes(emulator)).toEqual(['GET /api/user']);
    emulator.setFaults([]);
    expect((await call(emulator, 'GET', '/api/user')).status).toBe(200);
  });

  it('A1 revoke it at the handshake', async () => {
    const emulator = await faulty([on({ do: 'revoke' })]);
    await expect(listen(emulator)).rejects.toThrow('401');
    expect(strikes(emulator)).toEqual(['GET /ws']);
  });

  it.each([
    ['E7', 'inactive', 429],
    ['E9', 'no credits', 402],
  ] as const)('%s make the plan %s from the n-th request on', async (_id, state, status) => {
    const emulator = await faulty([
      on({ do: 'billing', state, nth: 2 }),
      on({ do: 'billing', state: 'active', nth: 4 }),
    ]);
    const statuses = [];
    for (let request = 0; request < 4; request += 1)
      statuses.push((await call(emulator, 'POST', '/api/prompt', { prompt: quick })).status);
    expect(statuses).toEqual([200, status, status, 200]);
  });

  it.each([
    ['FORBIDDEN', { code: 'FORBIDDEN' }, 'forbidden'],
    ['workspace_access_denied', { code: 'workspace_access_denied' }, 'forbidden'],
    [
      'sso_required',
      { code: 'sso_required', organization_id: expect.any(String) as unknown },
      'sso_required',
    ],
    ['auth_type_not_allowed', { error: { type: 'auth_type_not_allowed' }, accepted: ['oauth'] }, 'forbidden'],
  ])('E10 forbid a credential in each shape of a 403: %s', async (code, body, codeOfV2) => {
    const cloud = await faulty([on({ do: 'forbid', code, nth: 2 })]);
    expect((await call(cloud, 'GET', '/api/user')).status).toBe(200);
    const refused = await call(cloud, 'GET', '/api/queue');
    expect(refused).toMatchObject({ status: 403, body });
    expect(refused.headers.has('www-authenticate')).toBe(code === 'auth_type_not_allowed');
    cloud.setFaults([]);
    expect((await call(cloud, 'GET', '/api/queue')).status).toBe(200);

    const v2 = await faulty([on({ do: 'forbid', code })], { dialect: 'v2' });
    const bearer = { authorization: `Bearer ${v2.apiKey}` };
    const answer = await call(v2, 'GET', '/api/v2/jobs/none', undefined, bearer);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: codeOfV2 } } });
  });

  it('E10 trigger only after the given time', async () => {
    const emulator = await faulty([on({ do: 'revoke', atMs: 400 })]);
    const read = async (): Promise<number> => (await call(emulator, 'GET', '/api/user')).status;
    expect(await read()).toBe(200);
    while ((await read()) === 200);
    expect(strikes(emulator)).toHaveLength(1);
    emulator.setFaults([on({ do: 'revoke', atMs: 60_000 })]);
    expect(await read()).toBe(200);
  });
});
