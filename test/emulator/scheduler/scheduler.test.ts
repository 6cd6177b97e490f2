import { describe, expect, it } from 'vitest';
import type { EmulatorClock } from '../../../src/emulator/clock.js';
import type { NodeClass } from '../../../src/emulator/engine/node-class.js';
import { nodeClasses } from '../../../src/emulator/engine/node-classes.js';
import { createIds } from '../../../src/emulator/ids.js';
import type { ServiceMessage } from '../../../src/emulator/messages.js';
import type { EmulatorOptions } from '../../../src/emulator/options.js';
import { createPace } from '../../../src/emulator/pace.js';
import { createResultCache } from '../../../src/emulator/scheduler/result-cache.js';
import { createScheduler, type Scheduler } from '../../../src/emulator/scheduler/scheduler.js';
import { resolveSettings } from '../../../src/emulator/settings.js';
import { createFileStore } from '../../../src/emulator/store/file-store.js';

/** Time that passes only on demand. */
const virtualClock = (): { readonly clock: EmulatorClock; readonly pass: (ms: number) => Promise<void> } => {
  let now = 0;
  const due = new Set<{ readonly at: number; readonly work: () => void }>();
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number): Promise<void> => {
    const until = now + ms;
    for (;;) {
      await turn();
      await turn();
      const next = [...due].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      due.delete(next);
      now = next.at;
      next.work();
    }
    now = until;
  };
  const after: EmulatorClock['after'] = (delayMs, work) => {
    const entry = { at: now + delayMs, work };
    due.add(entry);
    return () => due.delete(entry);
  };
  return { clock: { now: () => now, after, turn }, pass };
};

interface Driven {
  readonly scheduler: Scheduler;
  readonly sent: ServiceMessage[];
  readonly pass: (ms: number) => Promise<void>;
  readonly submit: (steps: number) => string;
  readonly word: (id: string) => string | undefined;
  readonly settle: (billing: 'active' | 'no credits' | 'inactive') => void;
}

const drive = (
  options: EmulatorOptions = {},
  classes: ReadonlyMap<string, NodeClass> = nodeClasses,
): Driven => {
  const { clock, pass } = virtualClock();
  const settings = resolveSettings(options);
  const sent: ServiceMessage[] = [];
  let billing: 'active' | 'no credits' | 'inactive' = 'active';
  const scheduler = createScheduler({
    settings,
    clock,
    ids: createIds(1),
    onAccepted: () => undefined,
    onRestored: () => undefined,
    onStatus: () => undefined,
    losesWorker: () => false,
    files: createFileStore(settings.switches),
    nodeClasses: classes,
    cache: createResultCache(),
    pace: createPace(clock, settings.speed),
    send: (message) => sent.push(message),
    billing: () => billing,
  });
  let count = 0;
  const submit = (steps: number): string => {
    const inputs = { steps, anything: (count += 1) };
    const graph = new Map([['1', { classType: 'SlowNode', inputs, title: undefined }]]);
    return scheduler.submit({ graph, prompt: {}, extraData: {}, targets: ['1'], refusal: undefined }).id;
  };
  return {
    scheduler,
    sent,
    pass,
    submit,
    word: (id) => scheduler.job(id)?.status,
    settle: (next) => {
      billing = next;
    },
  };
};

const types = (sent: readonly ServiceMessage[]): string[] =>
  sent.map((message) => (message.kind === 'event' ? message.type : message.kind));

describe('the scheduler, without sockets and in virtual time', () => {
  it('takes a job through the raw words, a step of 50 ms each', async () => {
    const { pass, submit, word } = drive({ tier: 'free' });
    const id = submit(2);
    const seen: (string | undefined)[] = [word(id)];
    for (let beat = 0; beat < 9; beat += 1) {
      await pass(50);
      seen.push(word(id));
    }
    expect(seen).toEqual([
      'submitted',
      'queued_waiting',
      'allocated',
      'preparing',
      'pending_execution',
      'executing',
      'executing',
      'executed',
      'success',
      'success',
    ]);
  });

  it('goes twice as fast at twice the speed', async () => {
    const { pass, submit, word } = drive({ speed: 2 });
    const id = submit(2);
    await pass(199);
    expect(word(id)).toBe('executed');
    await pass(1);
    expect(word(id)).toBe('success');
  });

  it.each([
    ['free', 1],
    ['standard', 1],
    ['creator', 3],
    ['pro', 5],
  ] as const)('runs %s jobs: %i at once', async (tier, number) => {
    const { scheduler, pass, submit, word } = drive({ tier });
    const ids = Array.from({ length: number + 2 }, () => submit(100));
    await pass(300);
    expect(scheduler.running().map(({ id }) => id)).toEqual(ids.slice(0, number));
    expect(scheduler.waiting().map(({ id }) => id)).toEqual(ids.slice(number));
    expect(word(ids.at(-1) ?? '')).toBe('queued_limited');
  });

  it('runs the number that it is told, or all of them', async () => {
    const two = drive({ concurrency: 2 });
    const all = drive({ concurrency: 'unlimited' });
    for (let count = 0; count < 9; count += 1) {
      two.submit(100);
      all.submit(100);
    }
    await two.pass(300);
    await all.pass(300);
    expect(two.scheduler.running()).toHaveLength(2);
    expect(all.scheduler.running()).toHaveLength(9);
  });

  it('starts the next job, first come first run, when one ends', async () => {
    const { scheduler, pass, submit, word } = drive({ tier: 'free' });
    const [first, second, third] = [submit(1), submit(100), submit(100)];
    await pass(600);
    expect([first, second, third].map(word)).toEqual(['success', 'executing', 'queued_limited']);
    expect(scheduler.queued()).toBe(1);
  });

  it('cancels a waiting job at once, with nothing but a status', async () => {
    const { scheduler, sent, pass, submit, word } = drive({ tier: 'free' });
    submit(100);
    const waiting = submit(100);
    await pass(300);
    sent.length = 0;
    expect(scheduler.cancel(waiting)).toBe(true);
    expect(word(waiting)).toBe('cancelled');
    expect(types(sent)).toEqual(['status']);
    expect(scheduler.cancel(waiting)).toBe(false);
    expect(scheduler.cancel('unknown')).toBe(false);
  });

  it('cancels a job that has a place but has not started, without an event of its own', async () => {
    const { scheduler, sent, pass, submit, word } = drive();
    const id = submit(100);
    await pass(60);
    sent.length = 0;
    scheduler.cancel(id);
    expect(word(id)).toBe('cancel_pending');
    await pass(0);
    expect(word(id)).toBe('cancelled');
    expect(types(sent)).toEqual(['status']);
  });

  it('interrupts a running job in the middle of a step', async () => {
    const { scheduler, sent, pass, submit, word } = drive();
    const id = submit(100);
    await pass(270);
    sent.length = 0;
    scheduler.cancel(id);
    expect(word(id)).toBe('cancel_requested');
    await pass(0);
    expect(word(id)).toBe('cancelled');
    expect(types(sent)).toEqual(['execution_interrupted', 'status', 'executing']);
    expect(sent[0]).toMatchObject({
      data: { prompt_id: id, node_id: '1', node_type: 'SlowNode', executed: [] },
    });
    expect(scheduler.job(id)?.endedAt).toBe(270);
  });

  it('looks at the money again when a job comes to its turn', async () => {
    const { sent, pass, submit, word, settle } = drive();
    const broke = submit(1);
    settle('no credits');
    await pass(500);
    settle('inactive');
    const lapsed = submit(1);
    await pass(300);
    expect([word(broke), word(lapsed)]).toEqual(['error', 'error']);
    const errors = sent.flatMap((message) =>
      message.kind === 'event' && message.type === 'execution_error' ? [message.data] : [],
    );
    expect(errors.map((data) => [data['exception_type'], data['node_id']])).toEqual([
      ['InsufficientFundsError', null],
      ['InactiveSubscriptionError', null],
    ]);
    expect(types(sent)).not.toContain('execution_start');
  });

  it('says nothing any more once it is stopped', async () => {
    const { scheduler, sent, pass, submit } = drive({ tier: 'free' });
    submit(100);
    submit(100);
    await pass(300);
    sent.length = 0;
    scheduler.stop();
    await pass(1000);
    expect(sent).toEqual([]);
  });

  it('ends a job whose run breaks down outside of any node', async () => {
    const { scheduler, sent, pass } = drive();
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    const inputs = { steps: endless };
    const graph = new Map([['1', { classType: 'SlowNode', inputs, title: undefined }]]);
    const { id } = scheduler.submit({ graph, prompt: {}, extraData: {}, targets: ['1'], refusal: undefined });
    await pass(400);
    expect(scheduler.job(id)).toMatchObject({ status: 'error', failure: { exception_type: 'PanicError' } });
    expect(types(sent).slice(-3)).toEqual(['execution_error', 'status', 'executing']);
  });

  it('names the error of a node that breaks', async () => {
    const broken: NodeClass = {
      definition: nodeClasses.get('SlowNode')!.definition,
      execute: () => Promise.reject(new TypeError('no such thing')),
    };
    const { sent, pass, submit } = drive({}, new Map([['SlowNode', broken]]));
    submit(1);
    await pass(400);
    const error = sent.find((message) => message.kind === 'event' && message.type === 'execution_error');
    expect(error).toMatchObject({
      data: { exception_type: 'TypeError', exception_message: 'no such thing\n', node_id: '1' },
    });
  });
});
