import { useState, type ReactElement } from 'react';
import { failureOf } from '../../state/failure.js';
import { texts } from '../../texts.js';
import { useStudio } from '../use-studio.js';

interface DeleteButtonProps {
  readonly jobIds: readonly string[];
  readonly onDone: () => void;
}

/** Deletes jobs with all that they made, once a person has said so twice. */
export const DeleteButton = ({ jobIds, onDone }: DeleteButtonProps): ReactElement => {
  const { deleteJob } = useStudio();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = async (): Promise<void> => {
    for (const id of jobIds) await deleteJob(id);
    onDone();
  };
  return (
    <>
      <button
        type="button"
        className={isAsking ? 'danger' : undefined}
        onBlur={() => setAsking(false)}
        onClick={() => {
          if (isAsking) void remove().catch((error: unknown) => setProblem(failureOf(error).message));
          setAsking(!isAsking);
        }}
      >
        {isAsking ? texts.remove.sure(jobIds.length) : texts.remove.ask}
      </button>
      {problem !== undefined && (
        <span role="alert" className="error">
          {problem}
        </span>
      )}
    </>
  );
};
