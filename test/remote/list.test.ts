import { describe, expect, it } from 'vitest';
import { aRemote } from './a-remote.js';
import { life, submitted } from '../gateway/support.js';

describe('the list of a remote', () => {
  it('asks for what its options say, and gives each job with its times, labels and template', async () => {
    const state = { ...life('j')[1]!, promptId: 'j' };
    const whole = {
      ...{ id: 'j', state, createdAt: 1, expiresAt: 2, startedAt: 3, endedAt: 4, cancelRequestedAt: 5 },
      ...{ metadata: { a: 'b' }, template: 't' },
    };
    const bare = { id: 'k', state, createdAt: 6, expiresAt: 7 };
    let asked = '';
    const setting = await aRemote({
      before: ({ path, search }) => {
        asked = path + search;
        return Response.json({ jobs: [{ ...whole, files: [] }, bare], next: 'c' });
      },
    });
    const page = await setting.remote.list({
      ...{ phases: ['completed', 'failed'], template: 't', limit: 2, after: 'x y', metadata: { a: 'b&c' } },
      ...{ workflow: 'w', text: 'a cat', kind: 'video', since: 5, until: 9 },
    });
    expect(page).toEqual({ jobs: [whole, bare], next: 'c' });
    expect(Object.keys(page.jobs[1]!)).toEqual(['id', 'state', 'createdAt', 'expiresAt']);
    const query = new URLSearchParams(asked.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({
      ...{ status: 'completed,failed', template: 't', limit: '2', cursor: 'x y', 'metadata[a]': 'b&c' },
      ...{ workflow: 'w', text: 'a cat', kind: 'video', since: '5', until: '9' },
    });
    await setting.remote.list();
    expect(asked).toBe('/jobs');
  });

  it.each([
    ['no object', []],
    ['no list', { jobs: {} }],
    ['a job that is none', { jobs: [7] }],
    ['a job without an id', { jobs: [{ state: life('j')[1] }] }],
    [
      'a job without its times',
      { jobs: [{ id: 'j', state: life('j')[1], createdAt: 'today', expiresAt: 2 }] },
    ],
    ['a job without a state', { jobs: [{ id: 'j', state: { phase: 'completed' } }] }],
  ])('takes %s for no answer of a gateway', async (_, body) => {
    const { remote, clock } = await aRemote({ before: () => Response.json(body) });
    await expect(clock.until(remote.list())).rejects.toMatchObject({ _tag: 'Decode' });
  });

  it('leaves out of a job what has another form', async () => {
    const state = { ...life('j')[1]!, promptId: 'j' };
    const odd = { startedAt: '3', endedAt: null, cancelRequestedAt: {}, metadata: { a: 1 }, template: 7 };
    const job = { id: 'j', state, createdAt: 1, expiresAt: 2 };
    const { remote, clock } = await aRemote({ before: () => Response.json({ jobs: [{ ...job, ...odd }] }) });
    expect((await clock.until(remote.list())).jobs).toEqual([job]);
  });

  it('has no `next` on its last page, and goes on by that of the page before', async () => {
    const setting = await aRemote();
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await submitted(setting)).record.id);
    const first = await setting.remote.list({ limit: 2 });
    const last = await setting.remote.list({ limit: 2, after: first.next });
    expect([...first.jobs, ...last.jobs].map(({ id }) => id)).toEqual(ids);
    expect(['next' in first, 'next' in last]).toEqual([true, false]);
  });
});
