import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ServiceError } from '../../node.js';
import type { Session } from '../session.js';
import type { Once } from './once.js';

/** Submits, with the intent written down before and the id after; without a job key it just submits. */
export const submitOnce = async <A extends { readonly promptId: string }>(
  session: Session,
  submission: TaskEither<ServiceError, A>,
  once: Once | undefined,
): Promise<A> => {
  await once?.begin();
  session.reached('submit');
  const answer = await submission();
  if (answer._tag === 'Left') {
    if (!mayBeAccepted.has(answer.left._tag)) await once?.refused();
    throw answer.left;
  }
  const accepted = answer.right;
  session.reached('watch', accepted.promptId);
  await once?.accepted(accepted.promptId).catch(() =>
    session.report({
      kind: 'warning',
      message:
        'the job key could not be written down: a later run with it will refuse to submit, and not find this job',
    }),
  );
  return accepted;
};

// Every other error says that nothing left or that the service said no.
const mayBeAccepted: ReadonlySet<ServiceError['_tag']> = new Set(['OutcomeUnknown', 'Decode']);
