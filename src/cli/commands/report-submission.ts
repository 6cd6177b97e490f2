import type { CliEvent } from '../report/cli-event.js';
import type { Session } from '../session.js';

/** Reports an accepted submission, and warns of each branch that the service left out of it. */
export const reportSubmission = (
  { report }: Session,
  submission: Pick<
    Extract<CliEvent, { kind: 'submitted' }>,
    'promptId' | 'recorded' | 'number' | 'nodeErrors' | 'detached'
  >,
): void => {
  report({ kind: 'submitted', ...submission });
  for (const [nodeId, { classType, errors }] of Object.entries(submission.nodeErrors)) {
    const reasons = errors.map(({ message, details }) => `${message} ${details}`.trim()).join('; ');
    report({ kind: 'warning', message: `node ${nodeId} (${classType}) was left out: ${reasons}` });
  }
};
