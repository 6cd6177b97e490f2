import { describe, expect, it } from 'vitest';
import { aGateway } from '../v2/a-gateway.js';
import { left, right } from '../../../src/core/protocol/either.js';
import { listDefinitions } from '../../../src/server/gateway/routes/definition-operations.js';
import type { NodeInfo, ObjectInfo } from '../../../src/core/endpoints/object-info.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const aClass = (name: string): NodeInfo => ({
  ...{
    input: { required: { seed: ['INT', { max: 18446744073709551615n }] } },
    output: [],
    output_node: false,
  },
  ...{ name, category: 'test' },
});
const classes: ObjectInfo = { Sampler: aClass('Sampler'), Saver: aClass('Saver') };

/** A gateway whose service has these classes, and how often it was asked for them. */
const withClasses = (answers: readonly ObjectInfo[] = [classes]) => {
  let asked = 0;
  const objectInfo = () => () => {
    asked += 1;
    return Promise.resolve(right(answers[Math.min(asked, answers.length) - 1] ?? classes));
  };
  return { ...aGateway({ service: { objectInfo } }), asked: () => asked };
};

describe('GET /definitions', () => {
  it('gives the node classes of the service, integers beyond 2^53 exact, or those that are named', async () => {
    const { ask } = withClasses();
    const all = await ask('GET', '/definitions');
    expect(Object.keys(all.json())).toEqual(['Sampler', 'Saver']);
    expect(all.text).toContain('"max":18446744073709551615');
    const some = await ask('GET', '/definitions?class=Saver&class=toString&class=Missing');
    expect(Object.keys(some.json())).toEqual(['Saver']);
    expect((await ask('GET', '/definitions?class=Missing')).text).toBe('{}');
  });

  it('asks the service once for all callers, and again after half a minute', async () => {
    const { ask, asked, clock } = withClasses([classes, { Saver: aClass('Saver') }]);
    await Promise.all(
      ['alice', 'bob'].map((authorization) => ask('GET', '/definitions', { headers: { authorization } })),
    );
    await clock.advance(29_999);
    await ask('GET', '/definitions');
    expect(asked()).toBe(1);
    await clock.advance(1);
    expect(Object.keys((await ask('GET', '/definitions')).json())).toEqual(['Saver']);
    expect(asked()).toBe(2);
  });

  it('answers 304 to a caller that has these bytes, for all classes and for some', async () => {
    const { ask } = withClasses();
    const tags: string[] = [];
    for (const path of ['/definitions', '/definitions?class=Saver']) {
      const { headers } = await ask('GET', path);
      const etag = headers.get('etag') ?? '';
      tags.push(etag);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      for (const known of [etag, `"other", W/${etag}`, '*']) {
        const same = await ask('GET', path, { headers: { 'if-none-match': known } });
        expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await ask('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    }
    expect(new Set(tags).size).toBe(2);
  });

  it('says why there are none, and asks again for the next caller', async () => {
    let isAway = true;
    const objectInfo = () => () =>
      Promise.resolve(
        isAway ? left(serviceError('NotSupported', { message: 'None here.' })) : right(classes),
      );
    const { ask } = aGateway({ service: { objectInfo } });
    const refused = await ask('GET', '/definitions');
    expect([refused.status, refused.json()['detail']]).toEqual([501, 'None here.']);
    isAway = false;
    expect((await ask('GET', '/definitions')).status).toBe(200);
  });

  it('is 501 of a queue without a client', async () => {
    const answer = await listDefinitions(undefined)({} as never);
    expect(answer).toMatchObject({ status: 501, code: 'not_implemented' });
  });
});
