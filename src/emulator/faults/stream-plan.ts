import type { Answer } from '../http/answer.js';
import { type BodySink, delayedSink, pacedSink } from '../http/streamed-body.js';
import type { EmulatorClock } from '../clock.js';
import { interruptStream } from './stream-interceptor.js';
import { isAtOpening, isInterruption } from './socket-plan.js';
import type { SocketFault } from '../fault.js';

/** The faults of one event stream. */
export interface StreamPlan {
  /** The answer that replaces the stream, if there is one. */
  readonly refusal: Answer | undefined;
  /** Additional headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Wraps the body that the stream is written to. */
  readonly sink: (sink: BodySink) => BodySink;
}

/** Combines the faults of one stream into a plan; those that only a WebSocket can have do nothing. */
export const planStream = (faults: readonly SocketFault[], clock: EmulatorClock): StreamPlan => {
  const opening = faults.find(isAtOpening);
  const bytesPerSecond = faults.find((fault) => fault.do === 'drip')?.bytesPerSecond;
  const sizes = faults.find((fault) => fault.do === 'slice')?.sizes;
  const latencyMs = faults.find((fault) => fault.do === 'latency')?.ms;
  return {
    refusal: opening && answerOf(opening),
    headers: faults.reduce((all, fault) => (fault.do === 'headers' ? { ...all, ...fault.headers } : all), {}),
    sink: (body) => {
      const late = latencyMs === undefined ? body : delayedSink(body, latencyMs, clock);
      const paced =
        bytesPerSecond === undefined && sizes === undefined
          ? late
          : pacedSink(late, { bytesPerSecond, sizes, break: undefined }, clock);
      return faults.reduce((sink, fault) => {
        if (fault.do === 'idle-close') return closeWhenIdle(sink, fault, clock);
        return isInterruption(fault) && fault !== opening ? interruptStream(sink, fault, clock) : sink;
      }, paced);
    },
  };
};

const answerOf = (fault: OpeningFault): Answer => {
  switch (fault.do) {
    case 'refuse':
      return fault;
    case 'redirect':
      return { status: fault.status ?? 302, headers: { location: fault.location } };
    case 'cut':
      return { status: 200, abort: fault.how ?? 'rst' };
    case 'stall':
      return { status: 200, abort: 'stall' };
  }
};

type OpeningFault = Extract<SocketFault, { readonly do: 'refuse' | 'redirect' | 'cut' | 'stall' }>;

/** Ends the connection after `ms` in which nothing is written. */
const closeWhenIdle = (
  sink: BodySink,
  { ms, how = 'fin' }: Extract<SocketFault, { readonly do: 'idle-close' }>,
  clock: EmulatorClock,
): BodySink => {
  let cancel = clock.after(ms, () => sink.abort(how));
  sink.onClose(() => cancel());
  return {
    ...sink,
    write: (bytes) => {
      cancel();
      cancel = clock.after(ms, () => sink.abort(how));
      return sink.write(bytes);
    },
  };
};
