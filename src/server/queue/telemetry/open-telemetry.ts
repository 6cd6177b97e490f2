import { type Attributes, type Meter, metrics, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { listenTo } from './channels.js';
import type { QueueJobMessage } from './messages.js';

/** Options of {@link observeQueues}. */
export interface ObserveQueuesOptions {
  /** Makes the spans; default the global provider's tracer named `promptwire`. */
  readonly tracer?: Tracer | undefined;
  /** Makes the instruments; default the global provider's meter named `promptwire`. */
  readonly meter?: Meter | undefined;
}

/** Each is a span of its own, and an attribute of the histogram. */
const steps = ['add', 'wait', 'submit', 'run', 'download'] as const;

/**
 * Hands what the queues of this process do to OpenTelemetry, until the returned function is called.
 *
 * Spans `promptwire.queue.add`, `.wait`, `.submit`, `.run` and `.download`; the histogram `promptwire.queue.duration` in seconds, by
 * step; the gauges `promptwire.queue.jobs`, by phase, and `promptwire.queue.slots`; the counter `promptwire.queue.unknown`. No
 * attribute is a secret or a workflow.
 *
 * @example
 * ```ts
 * import { observeQueues } from 'promptwire/queue/opentelemetry';
 *
 * const stop = observeQueues();
 * ```
 */
export const observeQueues = ({
  tracer = trace.getTracer('promptwire'),
  meter = metrics.getMeter('promptwire'),
}: ObserveQueuesOptions = {}): (() => void) => {
  const duration = meter.createHistogram('promptwire.queue.duration', { unit: 's' });
  const jobs = meter.createGauge('promptwire.queue.jobs');
  const slots = meter.createGauge('promptwire.queue.slots');
  const unknowns = meter.createCounter('promptwire.queue.unknown');

  const stops = [
    ...steps.map((step) =>
      listenTo(`promptwire:queue:${step}`, ({ startedAt, endedAt, error, ...job }) => {
        const attributes = attributesOf(job);
        const span = tracer.startSpan(`promptwire.queue.${step}`, { startTime: startedAt, attributes });
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
        span.end(endedAt);
        const outcome = { queue: job.queue, step, ...(error !== undefined && { 'error.type': error }) };
        duration.record((endedAt - startedAt) / 1000, outcome);
      }),
    ),
    listenTo('promptwire:queue:unknown', ({ queue }) => unknowns.add(1, { queue })),
    listenTo('promptwire:queue:stats', ({ queue, limit, ...phases }) => {
      for (const [phase, count] of Object.entries(phases)) jobs.record(count, { queue, phase });
      slots.record(limit, { queue });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

const attributesOf = ({ queue, jobId, tenant, worker, promptId }: QueueJobMessage): Attributes => ({
  'promptwire.queue': queue,
  'promptwire.job': jobId,
  'promptwire.tenant': tenant,
  ...(worker !== undefined && { 'promptwire.worker': worker }),
  ...(promptId !== undefined && { 'promptwire.prompt': promptId }),
});
