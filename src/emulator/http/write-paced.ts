import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmulatorClock } from '../clock.js';
import { cutIntoPieces } from '../faults/cut-into-pieces.js';
import type { ExchangePlan } from '../faults/exchange-plan.js';
import type { Answer } from './answer.js';
import { breakOff } from './break-off.js';

/** Sends an answer piece by piece, as slowly and as far as the plan says. */
export const writePaced = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  plan: Pick<ExchangePlan, 'break' | 'bytesPerSecond' | 'sizes' | 'hidesLength'>,
  clock: EmulatorClock,
): Promise<void> => {
  if (!request.complete && !request.destroyed) {
    request.resume();
    await once(request, 'end');
  }
  const { socket } = request;
  const bytes = Buffer.from(body);
  if (plan.hidesLength) {
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(
    status,
    plan.hidesLength ? headers : { 'content-length': String(bytes.length), ...headers },
  );
  response.flushHeaders();
  const how = plan.break?.how;
  const end = plan.break === undefined ? bytes.length : endOf(plan.break.at, bytes.length);
  for (const { piece, pauseMs } of cutIntoPieces(bytes.subarray(0, end), plan)) {
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    if (pauseMs > 0) await pause(clock, pauseMs);
  }
  if (how === undefined) response.end();
  else setImmediate(() => breakOff(socket, how));
};

const endOf = (at: NonNullable<ExchangePlan['break']>['at'], size: number): number => {
  if (at === 'half') return size >> 1;
  return typeof at === 'number' ? Math.min(at, size) : 0;
};

const pause = (clock: EmulatorClock, delayMs: number): Promise<void> =>
  new Promise((resolve) => clock.after(delayMs, resolve));
