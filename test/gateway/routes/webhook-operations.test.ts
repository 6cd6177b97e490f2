import { describe, expect, it } from 'vitest';
import type { KnownWebhook, Webhooks } from '../../../src/server/gateway/model/webhooks.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';
import { webhookOperations } from '../../../src/server/gateway/routes/webhook-operations.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const record = {
  ...{ owner: 'ann', url: 'https://target.example/', secrets: [secret, secret], createdAt: 5, from: 'e-1' },
  events: ['job.ended'] as const,
};

/** What ann is shown of her webhook. */
const shown = async (
  known: Omit<KnownWebhook, 'record'> & { readonly record?: object },
): Promise<unknown> => {
  const webhooks = {
    get: (owner: string) =>
      owner === 'ann' ? { ...known, record: { ...record, ...known.record } } : undefined,
  } as Partial<Webhooks> as Webhooks;
  const answer = await webhookOperations(webhooks).show({ caller: { name: 'ann' } } as RouteCall);
  return (answer as Response).json();
};

describe('the webhook of a caller', () => {
  const common = { url: 'https://target.example/', events: ['job.ended'], secrets: 2, createdAt: 5 };

  it('is shown with how many secrets it has, and without any of them', async () => {
    expect(await shown({ lastFailure: undefined })).toEqual({ ...common, status: 'active' });
  });

  it('says why its messages do not arrive, and why nothing is sent any more', async () => {
    expect(await shown({ lastFailure: 'it answered 500' })).toEqual({
      ...common,
      ...{ status: 'active', lastFailure: 'it answered 500' },
    });
    const parked = { at: 9, reason: 'it answered 410: it is gone' };
    expect(await shown({ record: { parked }, lastFailure: undefined })).toEqual({
      ...common,
      ...{ status: 'parked', parked },
    });
  });

  it('is none of a gateway whose operator has not turned webhooks on', async () => {
    const { show, put, remove } = webhookOperations(undefined);
    for (const operation of [show, put, remove])
      expect(await operation({ caller: { name: 'ann' } } as RouteCall)).toMatchObject({
        ...{ status: 501, code: 'not_implemented' },
      });
  });

  it('is not found where the caller has none', async () => {
    const asked: string[] = [];
    const webhooks = {
      get: () => undefined,
      remove: (owner: string) => {
        asked.push(owner);
        return Promise.resolve(asked.length > 1);
      },
    } as unknown as Webhooks;
    const { show, remove } = webhookOperations(webhooks);
    const call = { caller: { name: 'ann' } } as RouteCall;
    const notFound = { status: 404, code: 'webhook_not_found' };
    expect([await show(call), await remove(call)]).toMatchObject([notFound, notFound]);
    const removed = (await remove(call)) as Response;
    expect([removed.status, await removed.text(), asked]).toEqual([204, '', ['ann', 'ann']]);
  });

  it('takes no host that only another gateway allows', async () => {
    const put: unknown[] = [];
    const webhooks = {
      put: (owner: string, registration: object) => {
        put.push([owner, registration]);
        return Promise.resolve({
          record: { ...record, ...registration },
          lastFailure: undefined,
          isNew: true,
        });
      },
    } as unknown as Webhooks;
    const body = { url: 'http://10.0.0.5/', events: ['job.ended'], secrets: [secret] };
    const call = { caller: { name: 'ann' }, json: () => Promise.resolve(body) } as unknown as RouteCall;
    expect(await webhookOperations(webhooks).put(call)).toMatchObject({ status: 422 });
    expect(put).toEqual([]);
    const allowed = await webhookOperations(webhooks, ['10.0.0.5']).put(call);
    expect([(allowed as Response).status, put]).toEqual([201, [['ann', body]]]);
  });
});
