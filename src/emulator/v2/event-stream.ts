import type { BodySink } from '../http/streamed-body.js';
import { encodeSse, keepAliveComment } from './server-sent-events.js';
import type { EmulatorClock } from '../clock.js';
import { isTerminal } from './documents.js';
import type { JobFeed, Preview } from './job-feed.js';
import type { ServiceMessage } from '../messages.js';
import { withOrigin } from './job-document.js';

/** One open event stream. */
export interface EventStream {
  readonly jobId: string;
  /** Sends the `error` event and ends the stream. */
  readonly fail: (error: object) => void;
  /** Sends a text or bytes as they are. */
  readonly inject: (wire: string | Uint8Array) => void;
  /** Ends the connection. */
  readonly cut: () => void;
}

/** Options of {@link openEventStream}. */
export interface EventStreamOptions {
  readonly feed: JobFeed;
  readonly sink: BodySink;
  readonly clock: EmulatorClock;
  readonly keepAliveMs: number;
  /** The origin that the client used, for addresses in `output`. */
  readonly origin: string;
  /** Called with every event that is sent. */
  readonly onSent: () => void;
}

/**
 * Sends the snapshot of a job, then its events up to the terminal one, and ends.
 *
 * While the client reads more slowly than events come, only the latest progress and preview wait for it.
 */
export const openEventStream = ({
  feed,
  sink,
  clock,
  keepAliveMs,
  origin,
  onSent,
}: EventStreamOptions): EventStream => {
  let isBehind = false;
  let isOver = false;
  const waiting = new Map<string, () => void>();

  const send = (wire: string | Uint8Array): void => {
    if (isOver) return;
    onSent();
    isBehind = !sink.write(wire);
  };
  /** Sends at once, or once the client has caught up, unless a newer one of this kind replaces it. */
  const sendLatest = (kind: string, encode: () => string): void => {
    if (isBehind) waiting.set(kind, () => send(encode()));
    else send(encode());
  };
  const sendWaiting = (): void => {
    const due = [...waiting.values()];
    waiting.clear();
    for (const work of due) work();
  };
  const onEvent = (message: ServiceMessage): void => {
    switch (message.kind) {
      case 'raw':
        send(message.wire);
        return;
      case 'preview':
        sendLatest('preview', () => encodePreviewEvent(message));
        return;
      case 'event':
        if (message.type === 'progress') sendLatest('progress', () => encodeSse('progress', message.data));
        else {
          sendWaiting();
          send(encodeSse(message.type, addressed(message.data, origin)));
        }
        return;
      case 'text':
    }
  };
  let stopKeepAlive = (): void => undefined;
  const keepAlive = (): void => {
    if (keepAliveMs === 0 || keepAliveMs === Infinity) return;
    stopKeepAlive = clock.after(keepAliveMs, () => {
      sink.write(keepAliveComment);
      keepAlive();
    });
  };
  let stopListening = (): void => undefined;
  const stop = (): void => {
    isOver = true;
    waiting.clear();
    stopKeepAlive();
    stopListening();
  };
  const end = (): void => {
    if (isOver) return;
    sendWaiting();
    stop();
    sink.end();
  };

  sink.onClose(stop);
  sink.onDrain(() => {
    isBehind = false;
    sendWaiting();
  });
  const status = feed.status();
  send(encodeSse('status', { status, queue_position: feed.queuePosition() }));
  const stream: EventStream = {
    jobId: feed.job.id,
    fail: (error) => {
      send(encodeSse('error', error));
      end();
    },
    inject: send,
    cut: () => sink.abort('rst'),
  };
  if (isTerminal(status)) {
    end();
    return stream;
  }
  const progress = feed.progress();
  if (progress) send(encodeSse('progress', progress));
  const preview = feed.preview();
  if (preview) send(encodePreviewEvent(preview));
  keepAlive();
  stopListening = feed.listen({ onEvent, onEnd: end });
  return stream;
};

const encodePreviewEvent = ({ metadata, picture }: Preview): string => {
  const { mediaType, bytes } = picture();
  const data = Buffer.from(bytes).toString('base64');
  return encodeSse('preview', { node_id: metadata.node_id, content_type: mediaType, data_base64: data });
};

const addressed = (data: Readonly<Record<string, unknown>>, origin: string): object =>
  typeof data['url'] === 'string' ? withOrigin({ ...data, url: data['url'] }, origin) : data;
