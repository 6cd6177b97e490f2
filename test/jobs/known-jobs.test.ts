import { dialects } from '../../src/client/dialects/dialects.js';
import { describe, expect, it } from 'vitest';
import { fakeRest } from '../helpers/fake-rest.js';
import { knownJobs, notingRest } from '../../src/client/jobs/known-jobs.js';
import type { Rest } from '../../src/core/http/rest.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

describe('knownJobs', () => {
  it('I-10: names the three latest others, the newest last', () => {
    const known = knownJobs({ now: () => 0 });
    expect(known.others('a')).toEqual([]);
    for (const id of ['a', 'b', 'c', 'd', 'b', 'e']) known.add(id);
    expect(known.others('e')).toEqual(['c', 'd', 'b']);
    expect(known.others('x')).toEqual(['d', 'b', 'e']);
  });

  it('F27: names as witnesses of a time the others that were known by then', () => {
    let now = 1;
    const known = knownJobs({ now: () => now });
    known.add('a');
    known.add('b');
    now = 2;
    known.add('c');
    known.add('a');
    expect(known.witnesses('b', 1)).toEqual(['a']);
    expect(known.witnesses('b', 2)).toEqual(['c', 'a']);
    expect(known.witnesses('b', 0)).toEqual([]);
  });

  it('I-10: forgets the oldest of very many', () => {
    const known = knownJobs({ now: () => 0 });
    for (let id = 0; id < 1_000; id += 1) known.add(String(id));
    expect(known.witnesses('', 0)).toHaveLength(8);
    known.add('0');
    expect(known.others('')).toEqual(['998', '999', '0']);
  });
});

describe('notingRest', () => {
  it('notes the jobs that status and history answer for, once they were asked, and no others', async () => {
    const known = knownJobs({ now: () => 0 });
    const rest = notingRest(
      fakeRest({
        jobStatus: (promptId) => TE.right({ promptId, status: 'pending', phase: 'pending' }),
        history: (promptId) => TE.right({ promptId, outputs: {}, isFinal: false, record: {} }),
      }),
      known,
      dialects.cloud.jobs,
    );
    const [status, history] = [rest.jobStatus('a'), rest.history('b')];
    expect(known.others('')).toEqual([]);
    expect(await status()).toMatchObject({ right: { promptId: 'a' } });
    expect(await history()).toMatchObject({ right: { promptId: 'b' } });
    expect(known.others('')).toEqual(['a', 'b']);
  });

  it.each([
    ['local', ['q']],
    ['cloud', []],
  ] as const)(
    'F27: notes a submission that was accepted by a local server only (%s)',
    async (dialect, ids) => {
      const known = knownJobs({ now: () => 0 });
      const submit: Rest['submit'] = () => TE.right({ promptId: 'q', nodeErrors: {} });
      const rest = notingRest(fakeRest({ submit }), known, dialects[dialect].jobs);
      await rest.submit({})();
      expect(known.others('')).toEqual(ids);
    },
  );

  it('notes no job that they do not know', async () => {
    const known = knownJobs({ now: () => 0 });
    const rest = notingRest(fakeRest(), known, dialects.cloud.jobs);
    expect(await rest.jobStatus('a')()).toMatchObject({ left: { _tag: 'NotFound' } });
    expect(await rest.history('a')()).toMatchObject({ left: { _tag: 'NotFound' } });
    expect(known.others('')).toEqual([]);
  });

  it('notes no submission that failed', async () => {
    const known = knownJobs({ now: () => 0 });
    const answer = await notingRest(fakeRest(), known, dialects.local.jobs).submit({})();
    expect(answer).toMatchObject({ left: { _tag: 'NotFound' } });
    expect(known.others('')).toEqual([]);
  });
});
