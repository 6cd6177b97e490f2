import { expect, it } from 'vitest';
import { loggedEntries } from '../../helpers/logged-entries.js';
import { publish } from '../../../src/server/queue/telemetry/channels.js';

it('logs what a queue publishes by its weight, whether a program has subscribed or not', () => {
  const { logger, entries } = loggedEntries();
  const job = { queue: 'q', jobId: 'a', tenant: 'ann' };
  const step = { ...job, startedAt: 1_000, endedAt: 1_250 };
  publish('promptwire:queue:submit', () => ({ ...step, promptId: 'p' }), logger);
  publish('promptwire:queue:run', () => ({ ...step, error: 'JobFailed' }), logger);
  publish('promptwire:queue:end', () => ({ ...job, phase: 'completed' }), logger);
  publish('promptwire:queue:end', () => ({ ...job, phase: 'untraceable' }), logger);
  publish(
    'promptwire:queue:unknown',
    () => ({ ...job, reason: 'no answer', candidates: ['x', 'y'] }),
    logger,
  );
  publish('promptwire:queue:warning', () => ({ queue: 'q', message: 'Weak settings.' }), logger);
  publish('promptwire:queue:pause', () => ({ queue: 'q', message: 'No credits.' }), logger);
  const stats = { queue: 'q', waiting: 1, delayed: 0, held: 2, unknown: 0, external: 0, limit: 3 };
  publish('promptwire:queue:stats', () => stats, logger);

  expect(entries).toEqual([
    { level: 'info', message: 'Job a: submit is done.', details: { ...job, promptId: 'p', ms: 250 } },
    { level: 'warn', message: 'Job a: run failed.', details: { ...job, error: 'JobFailed', ms: 250 } },
    { level: 'info', message: 'Job a is completed.', details: { ...job, phase: 'completed' } },
    {
      level: 'warn',
      message: 'Job a is untraceable: untraceable',
      details: { ...job, phase: 'untraceable' },
    },
    { level: 'warn', message: 'Job a is unknown: no answer', details: { ...job, candidates: 'x y' } },
    { level: 'warn', message: 'Weak settings.', details: { queue: 'q' } },
    { level: 'error', message: 'The queue is paused: No credits.', details: { queue: 'q' } },
    { level: 'debug', message: 'How full the queue is.', details: stats },
  ]);
});
