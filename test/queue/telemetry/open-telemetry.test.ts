import { describe, expect, it, onTestFinished } from 'vitest';
import type { Meter, Span, Tracer } from '@opentelemetry/api';
import { observeQueues } from '../../../src/server/queue/telemetry/open-telemetry.js';
import { publish } from '../../../src/server/queue/telemetry/channels.js';

/** A tracer and a meter that write down what they get. */
const instruments = () => {
  const seen: unknown[] = [];
  const note =
    (...names: readonly string[]) =>
    (...values: readonly unknown[]) =>
      void seen.push([...names, ...values]);
  const tracer = {
    startSpan: (name: string, options: object) => {
      note('span', name)(options);
      return { setStatus: note('status'), end: note('end') } as unknown as Span;
    },
  } as unknown as Tracer;
  const meter = {
    createHistogram: (name: string, { unit }: { readonly unit: string }) => ({
      record: note(unit === 's' ? name : unit),
    }),
    createGauge: (name: string) => ({ record: note(name) }),
    createCounter: (name: string) => ({ add: note(name) }),
  } as unknown as Meter;
  return { seen, tracer, meter };
};

const job = { queue: 'q', jobId: 'j', tenant: 't' };

describe('observeQueues', () => {
  it('makes a span and a duration of each step, with its error', () => {
    const { seen, ...options } = instruments();
    onTestFinished(observeQueues(options));
    publish('promptwire:queue:run', () => ({
      ...job,
      worker: 'w',
      promptId: 'p',
      startedAt: 1000,
      endedAt: 3500,
      error: 'JobFailed',
    }));
    const attributes = {
      'promptwire.queue': 'q',
      'promptwire.job': 'j',
      'promptwire.tenant': 't',
      'promptwire.worker': 'w',
      'promptwire.prompt': 'p',
    };
    expect(seen).toEqual([
      ['span', 'promptwire.queue.run', { startTime: 1000, attributes }],
      ['status', { code: 2, message: 'JobFailed' }],
      ['end', 3500],
      ['promptwire.queue.duration', 2.5, { queue: 'q', step: 'run', 'error.type': 'JobFailed' }],
    ]);
  });

  it.each(['add', 'wait', 'submit', 'run', 'download'] as const)(
    'makes a span of the step %s, with what is known of it alone',
    (step) => {
      const { seen, ...options } = instruments();
      onTestFinished(observeQueues(options));
      publish(`promptwire:queue:${step}`, () => ({ ...job, startedAt: 1000, endedAt: 1000 }));
      const attributes = { 'promptwire.queue': 'q', 'promptwire.job': 'j', 'promptwire.tenant': 't' };
      expect(seen).toStrictEqual([
        ['span', `promptwire.queue.${step}`, { startTime: 1000, attributes }],
        ['end', 1000],
        ['promptwire.queue.duration', 0, { queue: 'q', step }],
      ]);
    },
  );

  it('counts unknown jobs and records how full the queue is, until it is stopped', () => {
    const { seen, ...options } = instruments();
    const stop = observeQueues(options);
    const stats = { queue: 'q', waiting: 4, delayed: 3, held: 2, unknown: 1, external: 2, limit: 5 };
    publish('promptwire:queue:unknown', () => ({ ...job, reason: 'lost', candidates: [] }));
    publish('promptwire:queue:stats', () => stats);
    stop();
    publish('promptwire:queue:stats', () => {
      throw new Error('made for no subscriber');
    });
    expect(seen).toEqual([
      ['promptwire.queue.unknown', 1, { queue: 'q' }],
      ['promptwire.queue.jobs', 4, { queue: 'q', phase: 'waiting' }],
      ['promptwire.queue.jobs', 3, { queue: 'q', phase: 'delayed' }],
      ['promptwire.queue.jobs', 2, { queue: 'q', phase: 'held' }],
      ['promptwire.queue.jobs', 1, { queue: 'q', phase: 'unknown' }],
      ['promptwire.queue.jobs', 2, { queue: 'q', phase: 'external' }],
      ['promptwire.queue.slots', 5, { queue: 'q' }],
    ]);
  });
});
