import { accept, type Accepted } from '../../src/client/jobs/accept.js';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/client/dialects/dialects.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { jobHarness, messages } from '../helpers/job-harness.js';
import type { Rest } from '../../src/core/http/rest.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import type { Submission } from '../../src/core/endpoints/submit.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const workflow: Workflow = { 9: { class_type: 'SaveImage', inputs: { images: ['3', 0] } } };

/** A submission whose answer the test gives when it likes. */
const pendingSubmit = () => {
  const posted: Workflow[] = [];
  let answer: (answer: Awaited<ReturnType<ReturnType<Rest['submit']>>>) => void = () => undefined;
  const submit: Rest['submit'] = (sent) => () => {
    posted.push(sent);
    return new Promise((resolve) => (answer = resolve));
  };
  return {
    submit,
    posted,
    acceptAs: (promptId: string) => answer({ _tag: 'Right', right: { promptId, nodeErrors: {} } }),
    refuse: (error: ServiceError) => answer({ _tag: 'Left', left: error }),
  };
};

const accepting = (
  options?: Parameters<typeof accept>[2],
  sent: unknown = workflow,
  dialect: Dialect = 'cloud',
) => {
  const post = pendingSubmit();
  const harness = jobHarness({ submit: post.submit }, dialect);
  const claimed: Frame[] = [];
  let accepted: Accepted | undefined;
  let error: unknown;
  const subscription = accept(harness.context, sent as Workflow, options).subscribe({
    next: (value) => {
      accepted = value;
      claimed.push(...value.claim());
    },
    error: (problem: unknown) => (error = problem),
  });
  return {
    ...harness,
    ...post,
    clock: harness.platform.clock,
    claimed,
    accepted: () => accepted,
    error: () => error,
    stop: () => subscription.unsubscribe(),
  };
};

describe('accept', () => {
  it('posts only once the socket is open', async () => {
    const { socket, clock, posted } = accepting();
    await clock.advance(100);
    expect(posted).toHaveLength(0);
    socket().open();
    await clock.advance(0);
    expect(posted).toEqual([workflow]);
  });

  it('posts a large workflow in a later turn, as it was when the submission began', async () => {
    const large = () => ({ 9: { class_type: 'SaveText', inputs: { text: 'x'.repeat(300_000) } } });
    const sent = large();
    const { socket, clock, posted } = accepting(undefined, sent);
    socket().open();
    expect(posted).toHaveLength(0);
    sent[9].inputs.text = 'changed';
    await clock.advance(0);
    expect(posted).toEqual([large()]);

    const left = accepting(undefined, large());
    left.socket().open();
    left.stop();
    await left.clock.advance(0);
    expect(left.posted).toHaveLength(0);
  });

  it('posts without it when the socket is refused', async () => {
    const { socket, clock, posted } = accepting();
    socket().end({ status: 402 });
    await clock.advance(0);
    expect(posted).toHaveLength(1);
  });

  it.each([
    { errorCode: 'ECONNREFUSED' },
    { errorCode: 'ECONNRESET' },
    { status: 403 },
    { status: 502 },
    { status: 429 },
  ])('M8: waits for one attempt to open the socket, and for none after it: %j', async (end) => {
    const { context, socket, clock, posted } = accepting();
    await clock.advance(100);
    expect(posted).toHaveLength(0);
    socket().end(end);
    await clock.advance(0);
    expect(posted).toHaveLength(1);
    const later = accept(context, workflow).subscribe();
    await clock.advance(0);
    expect(posted).toHaveLength(2);
    later.unsubscribe();
  });

  it('M8: does not wait for an attempt that hangs after one that failed', async () => {
    const { context, platform, socket, clock, posted } = accepting();
    await clock.advance(10_000);
    expect(posted).toHaveLength(1);
    const later = accept(context, workflow).subscribe();
    await clock.advance(0);
    expect(posted).toHaveLength(2);
    expect(platform.sockets).toHaveLength(2);
    socket().open();
    accept(context, workflow).subscribe();
    await clock.advance(0);
    expect(posted).toHaveLength(3);
    later.unsubscribe();
  });

  it('M8: waits for an attempt again once a socket was open', async () => {
    const { context, socket, clock, posted } = accepting();
    socket().end({ status: 502 });
    await clock.advance(5_000);
    socket().open();
    await clock.advance(0);
    socket().end();
    accept(context, workflow).subscribe();
    await clock.advance(0);
    expect(posted).toHaveLength(1);
    socket().open();
    await clock.advance(0);
    expect(posted).toHaveLength(2);
  });

  it('F36: wakes a connection that waits to be made anew', async () => {
    const { context, socket, platform, clock, posted } = accepting();
    socket().open();
    await clock.advance(0);
    expect(posted).toHaveLength(1);
    socket().end();
    accept(context, workflow).subscribe();
    await clock.advance(0);
    expect(platform.sockets).toHaveLength(2);
    expect(posted).toHaveLength(1);
    socket().open();
    await clock.advance(0);
    expect(posted).toHaveLength(2);
  });

  it('C20: names the socket that comes next where a local server has none', async () => {
    const { context, socket, platform, clock, acceptAs, accepted } = accepting({}, workflow, 'local');
    socket().end({ errorCode: 'ECONNREFUSED' });
    await clock.advance(0);
    const before = platform.sockets.length;
    const listening = context.source.connected.subscribe();
    acceptAs('mine');
    await clock.advance(0);
    while (platform.sockets.length === before) await clock.advance(50);
    expect(accepted()?.clientId).toBe(new URL(socket().url).searchParams.get('clientId'));
    listening.unsubscribe();
  });

  it('posts after 10 s when the handshake stalls', async () => {
    const { clock, posted } = accepting();
    await clock.advance(9_999);
    expect(posted).toHaveLength(0);
    await clock.advance(1);
    expect(posted).toHaveLength(1);
  });

  it('C1: gives the frames that came before the answer, in order and no other job’s', async () => {
    const [mine, other] = [messages('mine'), messages('other')];
    const { socket, clock, acceptAs, claimed, accepted } = accepting();
    socket().open();
    await clock.advance(0);
    for (const message of [mine.start, other.start, mine.executing('3'), other.error, mine.success]) {
      socket().receive(message);
    }
    acceptAs('mine');
    await clock.advance(0);
    expect(accepted()?.submission).toMatchObject({ promptId: 'mine' });
    expect(claimed.map((frame) => frame._tag === 'Event' && frame.type)).toEqual([
      'execution_start',
      'executing',
      'execution_success',
    ]);
  });

  it('E20: sends the workflow as it was when the submission began', async () => {
    const changing: Record<string, { class_type: string; inputs: Record<string, unknown> }> = {
      9: { class_type: 'SaveImage', inputs: { seed: 1 } },
    };
    const { socket, clock, posted } = accepting({}, changing);
    changing[9]!.inputs['seed'] = 2;
    socket().open();
    await clock.advance(0);
    expect(posted[0]?.[9]?.inputs['seed']).toBe(1);
  });

  it.each([
    ['a UI export', { nodes: [], links: [], last_node_id: 1 }, 'ui'],
    ['nothing', {}, 'empty'],
    ['a function', { 9: { class_type: 'X', inputs: { f: () => undefined } } }, 'unknown'],
  ])('refuses %s without a request', (_, sent, format) => {
    const { error, platform } = accepting({}, sent);
    expect(error()).toMatchObject({ _tag: 'InvalidWorkflow', format });
    expect(platform.sockets).toHaveLength(0);
  });

  it('E1: names foreign jobs that began meanwhile when the outcome is unknown', async () => {
    const { socket, clock, refuse, error } = accepting();
    socket().open();
    await clock.advance(0);
    socket().receive(messages('maybe-mine').start);
    refuse(serviceError('OutcomeUnknown', { candidates: [], startedAt: 5, message: 'cut' }));
    await clock.advance(0);
    expect(error()).toMatchObject({
      _tag: 'OutcomeUnknown',
      candidates: ['maybe-mine'],
      startedAt: 5,
      message: 'cut',
    });
  });

  it('does not post when its subscriber has left before', async () => {
    const { socket, clock, posted, stop } = accepting();
    socket().open();
    stop();
    await clock.advance(20_000);
    expect(posted.length).toBeLessThanOrEqual(1);
    const early = accepting();
    early.stop();
    early.socket().open();
    await early.clock.advance(20_000);
    expect(early.posted).toHaveLength(0);
  });

  it('hands over a submission whose answer comes after its subscriber has left', async () => {
    const orphaned: Submission[] = [];
    const { socket, clock, acceptAs, stop, accepted } = accepting({
      orphaned: (late) => orphaned.push(late),
    });
    socket().open();
    await clock.advance(0);
    stop();
    acceptAs('late');
    await clock.advance(0);
    expect(orphaned).toMatchObject([{ promptId: 'late' }]);
    expect(accepted()).toBeUndefined();
  });

  it('makes one submission for each subscription', async () => {
    const posted: Workflow[] = [];
    const harness = jobHarness({
      submit: (sent) => {
        posted.push(sent);
        return TE.right({ promptId: `p${posted.length}`, nodeErrors: {} });
      },
    });
    const submission = accept(harness.context, workflow);
    const ids: string[] = [];
    submission.subscribe((accepted) => ids.push(accepted.submission.promptId));
    submission.subscribe((accepted) => ids.push(accepted.submission.promptId));
    harness.socket().open();
    await harness.platform.clock.advance(0);
    expect(ids).toEqual(['p1', 'p2']);
  });
});
