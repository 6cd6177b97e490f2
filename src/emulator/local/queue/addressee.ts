import type { ServiceMessage } from '../../messages.js';
import type { Addressee } from '../local-hub.js';
import type { LocalJob } from './local-job.js';

/**
 * Whom a job's message is for. A job without a client id is heard by nobody, but its progress, texts, plain previews
 * and interruption by everybody.
 */
export const addresseeOf = (message: ServiceMessage, { clientId }: LocalJob): Addressee | undefined => {
  if (clientId !== undefined && clientId !== null) return { clientId };
  return message.kind !== 'event' || loudEvents.has(message.type) ? 'everybody' : undefined;
};

const loudEvents: ReadonlySet<string> = new Set(['progress', 'progress_state', 'execution_interrupted']);
