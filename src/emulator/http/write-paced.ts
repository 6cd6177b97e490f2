import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmulatorClock } from '../clock.js';
import { blanks } from '../faults/blanks.js';
import type { ExchangePlan } from '../faults/exchange-plan.js';
import { writePieces } from '../faults/write-pieces.js';
import type { Answer } from './answer.js';
import { breakOff } from './break-off.js';

/** What of a plan is about the way of the answer. */
type AnswerPlan = Pick<ExchangePlan, 'break' | 'bytesPerSecond' | 'sizes' | 'surplus' | 'hidesLength'>;

/** Sends an answer piece by piece, as slowly and as far as the plan says; what nobody takes is not sent. */
export const writePaced = async (
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
  const hidesLength = plan.hidesLength || plan.surplus === Infinity;
  if (plan.hidesLength) {
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(
    status,
    hidesLength ? headers : { 'content-length': String(bytes.length + plan.surplus), ...headers },
  );
  response.flushHeaders();
  const how = plan.break?.how;
  const end = plan.break === undefined ? Infinity : endOf(plan.break.at, bytes.length);
  const line = {
    ...{ clock, bytesPerSecond: plan.bytesPerSecond, sizes: plan.sizes },
    write: (piece: Uint8Array, done: () => void) => response.write(piece, done),
    isOver: () => socket.destroyed,
  };
  for (const part of partsOf(bytes, plan.surplus, end)) {
    await writePieces(part, line);
    if (line.isOver()) return;
  }
  if (how === undefined) response.end();
  else setImmediate(() => breakOff(socket, how));
};

/** The body, and then blanks, up to the end. */
function* partsOf(bytes: Buffer, surplus: number, end: number): Generator<Buffer> {
  yield bytes.subarray(0, Math.min(end, bytes.length));
  yield* blanks(Math.min(surplus, end - bytes.length));
}

const endOf = (at: NonNullable<ExchangePlan['break']>['at'], size: number): number => {
  if (at === 'half') return size >> 1;
  return typeof at === 'number' ? at : 0;
};
