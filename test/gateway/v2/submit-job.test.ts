import { aGateway, withJson } from './a-gateway.js';
import { aJob } from './a-job.js';
import { describe, expect, it } from 'vitest';
import type { SubmitResult } from '../../../src/server/gateway/model/gateway-jobs.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const workflow = { 1: { class_type: 'A', inputs: {} } };

/** What a submission is answered whose job came to this. */
const answered = async (result: SubmitResult, headers: Readonly<Record<string, string>> = {}) => {
  const gateway = aGateway({ submitted: () => result });
  const answer = await gateway.ask('POST', '/api/v2/jobs', withJson({ workflow }, headers));
  return { ...answer, submission: gateway.submissions[0] };
};
const open = { _tag: 'accepted', job: aJob({}, { phase: 'unknown' }), replayed: false } as const;

describe('POST /api/v2/jobs', () => {
  it('answers with the job, and says so where it is the one of an earlier request', async () => {
    const { status, headers, json, submission } = await answered(
      { _tag: 'accepted', job: aJob(), replayed: false },
      { 'idempotency-key': 'k' },
    );
    expect([status, json()['id'], headers.get('idempotency-replayed')]).toEqual([201, 'a-job', null]);
    expect(submission).toMatchObject({ key: 'k', replay: false });
    const again = await answered({ _tag: 'accepted', job: aJob(), replayed: true });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.submission?.key).toBeUndefined();
  });

  it.each([
    ['true', true],
    [' TRUE ', true],
    ['false', false],
    ['', false],
    ['1', false],
  ])('takes idempotency-replay: %j for %j', async (value, replay) => {
    const { submission } = await answered(open, { 'idempotency-replay': value });
    expect(submission?.replay).toBe(replay);
  });

  it('gives the job of an outcome that stays open, as it is never submitted again', async () => {
    const error = serviceError('Network', { code: 'ECONNRESET', sent: true });
    const outage = await answered({ ...open, error });
    expect([outage.status, outage.json()]).toMatchObject([
      503,
      { error: { code: 'upstream_unreachable', details: { job_id: 'a-job' } } },
    ]);
    for (const other of [
      serviceError('Unauthorized', { message: 'the key of the gateway is wrong' }),
      serviceError('QueueFull', {}),
    ]) {
      const refused = await answered({ ...open, error: other });
      expect([refused.status, refused.json()]).toMatchObject([
        500,
        { error: { code: 'upstream_error', details: { job_id: 'a-job' } } },
      ]);
    }
    // Whoever asks again by the same key gets the document of the job.
    const replayed = await answered({ ...open, replayed: true, error });
    expect([replayed.status, replayed.json()['id']]).toEqual([201, 'a-job']);
  });

  it('refuses a key that is used, a body that is none, and what the service refuses', async () => {
    const used = await answered({ _tag: 'keyUsed' });
    expect([used.status, used.json()]).toMatchObject([422, { error: { code: 'idempotency_key_reuse' } }]);
    const credits = await answered({ _tag: 'refused', error: serviceError('InsufficientCredits', {}) });
    expect([credits.status, credits.json()]).toMatchObject([
      402,
      { error: { code: 'insufficient_credits' } },
    ]);
    const gateway = aGateway();
    for (const init of [withJson([]), withJson({ workflow }, { 'idempotency-key': 'a'.repeat(256) })])
      expect((await gateway.ask('POST', '/api/v2/jobs', init)).status).toBe(400);
    expect(gateway.submissions).toEqual([]);
  });

  it.each([
    ['jobs', 429, 'queue_full', 'limits.jobs'],
    ['keptBytes', 429, 'queue_full', 'limits.keptBytes'],
    ['all', 503, 'overloaded', 'maxJobs'],
  ] as const)(
    'says whose bound is in the way, and when to ask again: %s',
    async (of, status, code, words) => {
      const full = await answered({ _tag: 'limit', of, retryAfterS: 0.2 });
      expect([full.status, full.headers.get('retry-after')]).toEqual([status, '1']);
      expect(full.json()).toMatchObject({
        error: { code, message: expect.stringContaining(words) as string },
      });
      const later = await answered({ _tag: 'limit', of, retryAfterS: 6.1 });
      expect(later.headers.get('retry-after')).toBe('7');
    },
  );
});
