import { describe, expect, it } from 'vitest';
import { aRemote, type Asked } from './a-remote.js';
import { definitions } from '../../src/page/remote/definitions.js';
import { preflight } from '../../src/page/remote/preflight.js';

/** A remote whose gateway gives one answer, and what it was asked. */
const answered = async (body: unknown) => {
  const asked: Asked[] = [];
  const setting = await aRemote({
    before: (one) => {
      asked.push(one);
      return Response.json(body);
    },
  });
  return { ...setting, asked };
};

describe('the node classes of a remote', () => {
  it('are all of them, or those that are named', async () => {
    const { remote, asked } = await answered({ Sampler: { name: 'Sampler' } });
    expect(await definitions(remote)).toEqual({ Sampler: { name: 'Sampler' } });
    await definitions(remote, ['Sampler', 'a&b']);
    expect(asked.map(({ path, search }) => path + search)).toEqual([
      '/definitions',
      '/definitions?class=Sampler&class=a%26b',
    ]);
  });

  it('are no list', async () => {
    const { remote, clock } = await answered([]);
    await expect(clock.until(definitions(remote))).rejects.toMatchObject({ _tag: 'Decode' });
  });
});

describe('the preflight of a remote', () => {
  it('gives the report of the gateway', async () => {
    const report = { verdict: 'accepted', problems: [], uploads: [] };
    const { remote, asked } = await answered(report);
    expect(await preflight(remote, {})).toEqual(report);
    expect(asked).toMatchObject([{ method: 'POST', path: '/preflight' }]);
  });

  it.each([[[]], [{ verdict: 'accepted' }], [{ problems: [] }]])('takes %j for no report', async (body) => {
    const { remote, clock } = await answered(body);
    await expect(clock.until(preflight(remote, {}))).rejects.toMatchObject({ _tag: 'Decode' });
  });
});
