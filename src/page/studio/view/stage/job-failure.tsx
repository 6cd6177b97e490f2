import type { ReactElement } from 'react';
import { faultsOf } from '../../state/failure.js';
import type { KnownJob } from '../../state/jobs.js';
import { texts } from '../../texts.js';

type FailedJob = Pick<KnownJob, 'id' | 'state' | 'failure'>;

/** Says in words what happened, where, and what to do. */
export const JobFailureView = ({ job }: { readonly job: FailedJob }): ReactElement => {
  const { state, failure } = job;
  const why = state?.failure;
  return (
    <div className="failure" role="alert">
      <strong>{isUnknown(job) ? texts.failure.notShown : texts.failure.title}</strong>
      <p>{failure?.message ?? why?.exceptionMessage ?? texts.failure.unknown}</p>
      {why?.nodeId !== undefined && <p>{texts.failure.where(why.nodeId, why.nodeType)}</p>}
      <Faults job={job} />
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

/** Whether the caller has no such job, as far as the gateway says. */
const isUnknown = ({ id, state, failure }: FailedJob): boolean =>
  failure !== undefined && id !== undefined && state === undefined;

/** What the service refused, by node. */
const Faults = ({ job: { state, failure } }: { readonly job: FailedJob }): ReactElement | null => {
  const faults = failure?.faults ?? faultsOf({ ...state?.nodeErrors, ...state?.failure?.nodeErrors });
  if (faults.length === 0) return null;
  return (
    <ul>
      {faults.map((fault, at) => (
        <li key={at}>{texts.failure.problem(fault)}</li>
      ))}
    </ul>
  );
};
