import type { ReactElement } from 'react';
import type { KnownJob } from '../../state/jobs.js';
import { texts } from '../../texts.js';

/** Says in words what happened, where, and what to do. */
export const JobFailureView = ({
  job,
}: {
  readonly job: Pick<KnownJob, 'state' | 'failure'>;
}): ReactElement => {
  const { state, failure } = job;
  const why = state?.failure;
  return (
    <div className="failure" role="alert">
      <strong>{texts.failure.title}</strong>
      <p>{failure?.message ?? why?.exceptionMessage ?? texts.failure.unknown}</p>
      {why?.nodeId !== undefined && <p>{texts.failure.where(why.nodeId, why.nodeType)}</p>}
      <p className="hint">{failure?.hint ?? texts.failure.hintOf(why?.exceptionType)}</p>
      {why !== undefined && why.traceback.length > 0 && (
        <details>
          <summary>{texts.failure.details}</summary>
          <pre tabIndex={0}>{why.traceback.join('\n')}</pre>
        </details>
      )}
    </div>
  );
};
