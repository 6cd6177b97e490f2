import { abortConnection } from '../http/abort-connection.js';
import type { Answer } from '../http/answer.js';
import { spaces } from '../faults/raw-bytes.js';
import { type EmulatorClock, pause } from '../clock.js';
import type { ExchangePlan } from '../faults/exchange-plan.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { pacedSink, responseSink } from '../http/streamed-body.js';
import { writePieces } from '../http/paced-stream.js';

/** Options of {@link exchange}. */
export interface ExchangeOptions {
  readonly plan: ExchangePlan;
  readonly clock: EmulatorClock;
  /** Handles the request. */
  readonly answer: () => Answer | Promise<Answer>;
  /** The backend's 404. */
  readonly notFound: () => Answer;
}

/** Handles one request and sends its answer, with the faults of the plan. */
export const exchange = async (
  request: IncomingMessage,
  response: ServerResponse,
  { plan, clock, answer, notFound }: ExchangeOptions,
): Promise<void> => {
  await pause(clock, plan.delayBeforeMs);
  if (plan.break?.at === 'before') {
    abortConnection(request.socket, plan.break.how);
    return;
  }
  const done = plan.commits ? await answer() : undefined;
  const result = plan.replacement === 'missing' ? notFound() : (plan.replacement ?? done ?? notFound());
  await pause(clock, plan.delayAfterMs);
  if (plan.break?.at === 'afterCommit') abortConnection(request.socket, plan.break.how);
  else if (result.abort !== undefined) abortConnection(request.socket, result.abort);
  else if (result.stream) writeStream(request, response, { ...result, stream: result.stream }, plan, clock);
  else if (isPlain(plan)) writeAnswer(request, response, plan.transform(result));
  else await writePaced(request, response, plan.transform(result), plan, clock);
};

const isPlain = ({ break: end, bytesPerSecond, sizes, paddingBytes, omitsLength }: AnswerPlan): boolean =>
  end === undefined &&
  bytesPerSecond === undefined &&
  sizes === undefined &&
  paddingBytes === 0 &&
  !omitsLength;

/** Sends an answer after the rest of the request was read, so that a client in the middle of an upload gets it. */
export const writeAnswer = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0));
  const send = (): void => {
    // An answer without content, or in chunks, has no length.
    const hasLength =
      ![204, 304].includes(answer.status) && answer.headers?.['transfer-encoding'] === undefined;
    const length = hasLength ? { 'content-length': String(body.length) } : {};
    response.writeHead(answer.status, { ...length, ...answer.headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  if (request.complete || request.destroyed) {
    send();
    return;
  }
  request.once('end', send);
  request.resume();
};

/** The part of a plan that concerns sending the answer. */
type AnswerPlan = Pick<ExchangePlan, 'break' | 'bytesPerSecond' | 'sizes' | 'paddingBytes' | 'omitsLength'>;

/** Sends an answer piece by piece at the pace and up to the break of the plan, until the client disconnects. */
const writePaced = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  plan: AnswerPlan,
  clock: EmulatorClock,
): Promise<void> => {
  if (!request.complete && !request.destroyed) {
    request.resume();
    await once(request, 'end');
  }
  const { socket } = request;
  const bytes = Buffer.from(body);
  const omitsLength = plan.omitsLength || plan.paddingBytes === Infinity;
  if (plan.omitsLength) {
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(
    status,
    omitsLength ? headers : { 'content-length': String(bytes.length + plan.paddingBytes), ...headers },
  );
  response.flushHeaders();
  const how = plan.break?.how;
  const end = plan.break === undefined ? Infinity : endOf(plan.break.at, bytes.length);
  const line = {
    ...{ clock, bytesPerSecond: plan.bytesPerSecond, sizes: plan.sizes },
    write: (piece: Uint8Array, done: () => void) => response.write(piece, done),
    isOver: () => socket.destroyed,
  };
  for (const part of partsOf(bytes, plan.paddingBytes, end)) {
    await writePieces(part, line);
    if (line.isOver()) return;
  }
  if (how === undefined) response.end();
  else setImmediate(() => abortConnection(socket, how));
};

/** Sends the headers, and lets the answer send its body; the plan's changes of whole bodies do not apply. */
const writeStream = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, stream }: Answer & Required<Pick<Answer, 'stream'>>,
  plan: AnswerPlan,
  clock: EmulatorClock,
): void => {
  // A client that has left does not close a second time.
  if (response.closed || request.socket.destroyed) return;
  response.writeHead(status, headers);
  response.flushHeaders();
  const { bytesPerSecond, sizes } = plan;
  const end = plan.break;
  if (end?.at === 'headers') {
    setImmediate(() => abortConnection(request.socket, end.how));
    return;
  }
  // A stream has no half: it breaks within its first event.
  const afterBytes = typeof end?.at === 'number' ? end.at : 16;
  const sink = responseSink(request, response);
  stream(
    isPlain(plan)
      ? sink
      : pacedSink(sink, { bytesPerSecond, sizes, break: end && { afterBytes, how: end.how } }, clock),
  );
};

/** The body and its padding, up to `end`. */
function* partsOf(bytes: Buffer, paddingBytes: number, end: number): Generator<Buffer> {
  yield bytes.subarray(0, Math.min(end, bytes.length));
  yield* spaces(Math.min(paddingBytes, end - bytes.length));
}

const endOf = (at: NonNullable<ExchangePlan['break']>['at'], size: number): number => {
  if (at === 'half') return size >> 1;
  return typeof at === 'number' ? at : 0;
};
