import type { Client } from '../node.js';
import type { Reporter } from './report/reporter.js';

/** How long each of the at most two requests may take: a person waits for them with a finger on Ctrl-C. */
const withinMs = 5_000;

/** Asks for the end of one job by its id, and resolves with whether the service took it. */
export const cancelOwnJob = async (
  client: Client,
  promptId: string,
  { report }: Pick<Reporter, 'report'>,
): Promise<boolean> => {
  report({ kind: 'cancelling', promptId });
  const answer = await client.cancel(promptId, { timeoutMs: withinMs })();
  if (answer._tag === 'Left') report({ kind: 'error', error: answer.left });
  else report({ kind: 'cancelRequested', promptId });
  return answer._tag === 'Right';
};
