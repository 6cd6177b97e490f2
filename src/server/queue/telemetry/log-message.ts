import type { Logger } from '../../../core/log/logger.js';
import type { QueueMessages, QueueStepMessage } from './messages.js';

/** Logs what a queue publishes: steps and ends of jobs as info, or warn where they failed; how full it is as debug. */
export const logMessage = <Name extends keyof QueueMessages>(
  logger: Logger,
  name: Name,
  message: QueueMessages[Name],
): void => {
  const step = name.replace('promptwire:queue:', '');
  if ('startedAt' in message) logStep(logger, step, message);
  else if ('phase' in message) {
    const { jobId, phase, reason = phase } = message;
    if (phase === 'completed' || phase === 'cancelled')
      logger.info(`Job ${jobId} is ${phase}.`, { ...message });
    else logger.warn(`Job ${jobId} is ${phase}: ${reason}`, { ...message });
  } else if ('reason' in message) {
    const { queue, jobId, tenant, worker, reason, candidates } = message;
    logger.warn(`Job ${jobId} is unknown: ${reason}`, {
      ...{ queue, jobId, tenant, worker },
      candidates: candidates.join(' '),
    });
  } else if ('message' in message) {
    const isPause = name === 'promptwire:queue:pause';
    if (isPause) logger.error(`The queue is paused: ${message.message}`, { queue: message.queue });
    else logger.warn(message.message, { queue: message.queue });
  } else logger.debug('How full the queue is.', { ...message });
};

const logStep = (logger: Logger, step: string, { startedAt, endedAt, ...about }: QueueStepMessage): void => {
  const details = { ...about, ms: endedAt - startedAt };
  if (about.error === undefined) logger.info(`Job ${about.jobId}: ${step} is done.`, details);
  else logger.warn(`Job ${about.jobId}: ${step} failed.`, details);
};
