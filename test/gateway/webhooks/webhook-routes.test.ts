import { describe, expect, it } from 'vitest';
import { createHandler } from '../../../src/server/gateway/http/handler.js';
import { disguisedHosts, hostileLiterals, internalHosts } from '../../helpers/hostile-addresses.js';
import { otherSecret, playedTarget, secret } from './support.js';
import { playedGateway } from '../support.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { watchTokens } from '../../../src/server/gateway/http/watch-tokens.js';
import { webhookRoutes } from '../../../src/server/gateway/routes/routes.js';

const aHandler = async (allowHosts: readonly string[] = [], isOn = true) => {
  const sender = playedTarget();
  const { jobs } = await playedGateway(isOn ? { webhooks: { sender, allowHosts } } : {});
  const clock = virtualClock();
  const handle = createHandler({
    ...{ clock, tokens: watchTokens({ clock }), routes: webhookRoutes(jobs.webhooks, allowHosts) },
    authorize: ({ headers }) => ({ name: headers.get('x-name') ?? 'alice' }),
  });
  const ask = async (method: string, body?: unknown, name = 'alice') => {
    const answer = await handle(
      new Request('http://gateway.test/webhooks', {
        method,
        headers: { 'x-name': name, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    return { status: answer.status, text, body: (text === '' ? {} : JSON.parse(text)) as object, answer };
  };
  return { ask, jobs };
};

const good = { url: 'https://target.example/hook?token=t', secrets: [secret] };

describe('/webhooks', () => {
  it('keeps one webhook for each caller, and never shows a secret', async () => {
    const { ask, jobs } = await aHandler();
    expect((await ask('GET')).status).toBe(404);
    const put = await ask('PUT', { ...good, events: ['job.ended', 'job.ended'] });
    expect(put.status).toBe(201);
    const shown = { url: good.url, events: ['job.ended'], secrets: 1, status: 'active' };
    expect(put.body).toMatchObject(shown);
    const again = await ask('PUT', { ...good, secrets: [secret, otherSecret] });
    expect([again.status, again.body]).toMatchObject([200, { secrets: 2 }]);
    expect((await ask('GET', undefined, 'bob')).status).toBe(404);
    const got = await ask('GET');
    expect(got.body).toEqual(again.body);
    expect([put.text, again.text, got.text].join()).not.toContain(secret.slice(6, 20));
    const five = [
      secret,
      otherSecret,
      ...[40, 41, 42].map((size) => `whsec_${Buffer.alloc(size, 1).toString('base64')}`),
    ];
    expect((await ask('PUT', { ...good, secrets: five })).body).toMatchObject({ secrets: 5 });
    expect((await ask('DELETE')).status).toBe(204);
    expect((await ask('DELETE')).status).toBe(404);
    await jobs.close();
  });

  it.each([
    ['10.0.0.5', 'http://10.0.0.5/a', 'https://10.0.0.5:8443/a'],
    ['10.0.0.5:80', 'http://10.0.0.5/a', 'http://10.0.0.5:80/a'],
    ['Hooks.Internal:443', 'https://hooks.internal/a', 'https://HOOKS.internal:443/a'],
    ['[::1]:8080', 'http://[::1]:8080/a', 'http://[0:0::1]:8080/a'],
  ])('T11 takes the host that the operator named as %s', async (host, ...urls) => {
    const { ask, jobs } = await aHandler([host]);
    for (const url of urls)
      expect([url, (await ask('PUT', { ...good, url })).status < 300]).toEqual([url, true]);
    expect((await ask('PUT', { ...good, url: 'http://10.0.0.6/a' })).status).toBe(422);
    if (host.includes(':80'))
      expect((await ask('PUT', { ...good, url: 'https://10.0.0.5/a' })).status).toBe(422);
    await jobs.close();
  });

  it.each<readonly [string, unknown]>([
    ['a list', []],
    ['no address', { secrets: [secret] }],
    ['an address that is none', { ...good, url: 'target' }],
    ['another scheme', { ...good, url: 'ftp://target.example/' }],
    ['credentials in the address', { ...good, url: 'https://a:b@target.example/' }],
    ['a long address', { ...good, url: `https://target.example/${'a'.repeat(2_048)}` }],
    ['no secret', { url: good.url }],
    ['an empty list of secrets', { ...good, secrets: [] }],
    ['secrets of which one is none', { ...good, secrets: [secret, 7] }],
    ['kinds of which one is none', { ...good, events: ['job.ended', 'job.began'] }],
    ['a text in place of a list', { ...good, events: 'job.ended' }],
    ['no object', null],
    ['too many secrets', { ...good, secrets: Array<string>(6).fill(secret) }],
    ['a short secret', { ...good, secrets: ['whsec_YWJj'] }],
    ['a secret without its prefix', { ...good, secrets: [secret.slice(6)] }],
    ['no kind', { ...good, events: [] }],
    ['an unknown kind', { ...good, events: ['job.progress'] }],
    ['a member that is none', { ...good, webhook_url: good.url }],
  ])('refuses %s by problem details', async (_, body) => {
    const { ask, jobs } = await aHandler();
    const refused = await ask('PUT', body);
    expect(refused.status).toBe(422);
    expect(refused.answer.headers.get('content-type')).toBe('application/problem+json');
    expect(refused.body).toMatchObject({ code: 'invalid_webhook' });
    expect((await ask('GET')).status).toBe(404);
    await jobs.close();
  });

  it.each([...hostileLiterals, ...Object.keys(internalHosts)])('refuses %s', async (host) => {
    const { ask, jobs } = await aHandler();
    for (const scheme of ['https', 'http']) {
      expect((await ask('PUT', { ...good, url: `${scheme}://${host}/x` })).status).toBe(422);
    }
    await jobs.close();
  });

  it('takes names that only the look-up tells from public ones, and hosts that the operator allows', async () => {
    const { ask, jobs } = await aHandler(['10.0.0.1', 'hooks.internal:8080']);
    const status = async (url: string) => (await ask('PUT', { ...good, url })).status;
    for (const host of Object.keys(disguisedHosts).filter((name) => !name.startsWith('localhost'))) {
      expect(await status(`https://${host}/`)).toBeLessThan(300);
    }
    expect(await status('http://10.0.0.1:99/')).toBe(200);
    expect(await status('http://hooks.internal:8080/')).toBe(200);
    expect(await status('http://hooks.internal/')).toBe(422);
    expect(await status('http://10.0.0.2/')).toBe(422);
    await jobs.close();
  });

  it('answers 501 where the operator turned none on', async () => {
    const { ask, jobs } = await aHandler([], false);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const refused = await ask(method, method === 'PUT' ? good : undefined);
      expect([refused.status, refused.body]).toMatchObject([501, { code: 'not_implemented' }]);
    }
    await jobs.close();
  });
});
