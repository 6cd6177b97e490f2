import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmulatorClock } from '../clock.js';
import type { ExchangePlan } from '../faults/exchange-plan.js';
import { pause } from '../pause.js';
import type { Answer } from './answer.js';
import { breakOff } from './break-off.js';
import { writeAnswer } from './write-answer.js';
import { writePaced } from './write-paced.js';

/** What an exchange can be answered with. */
export interface ExchangeOptions {
  readonly plan: ExchangePlan;
  readonly clock: EmulatorClock;
  /** Does what was asked for. */
  readonly answer: () => Answer | Promise<Answer>;
  /** What the world says of something that is not there. */
  readonly missing: () => Answer;
}

/** Carries one exchange out as it is planned; without any fault that is: answer, and send the answer. */
export const exchange = async (
  request: IncomingMessage,
  response: ServerResponse,
  { plan, clock, answer, missing }: ExchangeOptions,
): Promise<void> => {
  await pause(clock, plan.delayBeforeMs);
  if (plan.break?.at === 'before') {
    breakOff(request.socket, plan.break.how);
    return;
  }
  const done = plan.commits ? await answer() : undefined;
  const given = plan.instead === 'missing' ? missing() : (plan.instead ?? done ?? missing());
  await pause(clock, plan.delayAfterMs);
  if (plan.break?.at === 'afterCommit') breakOff(request.socket, plan.break.how);
  else if (isPlain(plan)) writeAnswer(request, response, plan.change(given));
  else await writePaced(request, response, plan.change(given), plan, clock);
};

const isPlain = ({ break: end, bytesPerSecond, sizes, surplus, hidesLength }: ExchangePlan): boolean =>
  end === undefined && bytesPerSecond === undefined && sizes === undefined && surplus === 0 && !hidesLength;
