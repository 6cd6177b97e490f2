import * as TE from 'fp-ts/lib/TaskEither.js';
import { describe, expect, it } from 'vitest';
import { knownJobs } from '../../src/job/known-jobs.js';
import { notingRest } from '../../src/job/noting-rest.js';
import type { Rest } from '../../src/http/rest.js';
import { fakeRest } from '../helpers/fake-rest.js';

describe('notingRest', () => {
  it('notes whom status and history answer for, once they were asked, and nobody else', async () => {
    const known = knownJobs({ now: () => 0 });
    const rest = notingRest(
      fakeRest({
        jobStatus: (promptId) => TE.right({ promptId, status: 'pending', phase: 'pending' }),
        history: (promptId) => TE.right({ promptId, outputs: {}, isFinal: false, record: {} }),
      }),
      known,
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
      const rest = notingRest(fakeRest({ submit }), known, dialect);
      await rest.submit({})();
      expect(known.others('')).toEqual(ids);
    },
  );

  it('notes nobody whom they do not know', async () => {
    const known = knownJobs({ now: () => 0 });
    const rest = notingRest(fakeRest(), known);
    expect(await rest.jobStatus('a')()).toMatchObject({ left: { _tag: 'NotFound' } });
    expect(await rest.history('a')()).toMatchObject({ left: { _tag: 'NotFound' } });
    expect(known.others('')).toEqual([]);
  });

  it('notes no submission that failed', async () => {
    const known = knownJobs({ now: () => 0 });
    const answer = await notingRest(fakeRest(), known, 'local').submit({})();
    expect(answer).toMatchObject({ left: { _tag: 'NotFound' } });
    expect(known.others('')).toEqual([]);
  });
});
