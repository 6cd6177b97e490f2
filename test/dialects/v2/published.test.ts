import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/core/protocol/frames/frame.js';
import { outputFiles } from '../../../src/core/state/output-files.js';
import { canary } from '../../helpers/http-connection.js';
import { refusal, slow, submit } from '../../helpers/emulated.js';
import { publishedClient } from '../../helpers/published-v2/client.js';
import { publishedService } from '../../helpers/published-v2/service.js';
import { refusedSubmissions } from '../../helpers/published-v2/refusals.js';
import { ended, envelope, job } from '../../helpers/published-v2/documents.js';
import { endedStories } from '../../helpers/published-v2/stories.js';

/** The name of the event of API v2 that a frame was made of. */
const rawEventOf = (frame: Frame): unknown => {
  const found = /"v2":\{"event":"(\w+)"/u.exec(JSON.stringify(frame));
  return found?.[1];
};

describe.concurrent('a client of API v2 and a server of its published description', () => {
  it.each(endedStories)('$title', async (story) => {
    const { phase, files, failure } = story;
    await using service = await publishedService(story);
    await using own = publishedClient(service);
    const job = await submit(own.client, slow(1));
    const states = await lastValueFrom(job.states.pipe(toArray()));
    const state = states.at(-1)!;

    expect(state.phase).toBe(phase);
    if (files !== undefined)
      expect(
        outputFiles(state.outputs)
          .map(({ filename }) => filename)
          .sort(),
      ).toEqual([...files].sort());
    if (phase === 'completed') expect(state.outputsComplete).toBe(true);
    if (failure?.type !== undefined) expect(state.failure?.exceptionType).toBe(failure.type);
    if (failure?.message !== undefined) expect(state.failure?.exceptionMessage).toContain(failure.message);
    if (failure?.nodeId !== undefined) expect(state.failure?.nodeId).toBe(failure.nodeId);

    const progress = states.map((one) => one.progress);
    expect(progress).toEqual([...progress].sort((one, other) => one - other));
    const submissions = service.seen.filter(({ method, url }) => method === 'POST' && url.endsWith('/jobs'));
    expect(submissions).toHaveLength(1);
    expect(submissions[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u);
    const { host } = new URL(service.baseUrl);
    for (const { headers } of service.seen)
      expect(headers.authorization).toBe(headers['host'] === host ? `Bearer ${canary}` : undefined);
    expect(service.seen.filter(({ url }) => url.endsWith('/events')).length).toBeLessThan(10);
    expect(JSON.stringify(state)).not.toContain(canary);
  });
  it.each(refusedSubmissions)(
    'refused: $title',
    async ({ answer, code, nodes = [], isUncertain = false }) => {
      await using service = await publishedService({ title: '', polls: [], submissions: [answer] });
      await using own = publishedClient(service);
      const error = await refusal(own.client.submit(slow(1)));
      expect(error.retry === 'unknown outcome').toBe(isUncertain);
      expect(error.errorType).toBe(code);
      expect('nodeErrors' in error ? Object.keys(error.nodeErrors) : []).toEqual(nodes);
      expect(String(error)).not.toContain(canary);
    },
  );

  it('repeats a submission after a 429, with the same key', async () => {
    const full = { status: 429, body: envelope('queue_full'), headers: { 'retry-after': '1' } };
    const starting = { ...full, body: envelope('deployment_not_ready') };
    const submissions = [full, starting, { status: 201, body: job() }];
    const polls = [ended({ status: 'succeeded' })];
    await using service = await publishedService({ title: '', polls, submissions });
    await using own = publishedClient(service);
    const accepted = await submit(own.client, slow(1));
    expect((await lastValueFrom(accepted.states)).phase).toBe('completed');
    const posts = service.seen.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('says of a used key only that a request with it arrived', async () => {
    const answer = { status: 422, body: envelope('idempotency_key_reuse') };
    await using service = await publishedService({ title: '', polls: [], submissions: [answer] });
    await using own = publishedClient(service);
    const error = await refusal(own.client.submit(slow(1)));
    expect(error).toMatchObject({ _tag: 'OutcomeUnknown', keyUsed: true, candidates: [] });
  });

  it('turns the events of a run into frames of today, with the raw event in them', async () => {
    const [story] = endedStories;
    await using service = await publishedService(story!);
    await using own = publishedClient(service);
    const frames: Frame[] = [];
    own.client.frames.subscribe((frame) => frames.push(frame));
    const accepted = await submit(own.client, slow(1));
    await lastValueFrom(accepted.states);
    expect(frames.map((frame) => ('type' in frame ? frame.type : frame._tag))).toEqual([
      'v2/status',
      'execution_start',
      'executing',
      'progress',
      'Preview',
      'executed',
      'execution_success',
    ]);
    expect(frames.map(rawEventOf)).toEqual([
      'status',
      'status',
      'progress',
      'progress',
      'preview',
      'output',
      'status',
    ]);
  });
});
