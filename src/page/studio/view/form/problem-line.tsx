import type { ReactElement } from 'react';
import type { Problem } from '../../../../index.js';
import { texts } from '../../texts.js';
import { useStudio } from '../use-studio.js';
import { valueText } from '../../state/value-text.js';

interface ProblemLineProps {
  readonly problem: Problem;
  /** The title of its node, where the line does not stand there. */
  readonly node?: string | undefined;
}

/** A problem in words; what mends it is a button, and what may have been meant is another. */
export const ProblemLine = ({ problem, node }: ProblemLineProps): ReactElement => {
  const { bench, fix } = useStudio();
  const { nodeId, input, message, severity, suggestion } = problem;
  const mayReplace = suggestion !== undefined && nodeId !== undefined && input !== undefined;
  return (
    <div className="problem">
      <span className={severity}>
        {nodeId !== undefined && node !== undefined && <strong>{texts.problems.at(node, nodeId)} </strong>}
        {message}
      </span>
      {problem.fix !== undefined && (
        <button type="button" onClick={() => fix([problem])}>
          {texts.problems.fix(valueText(problem.fix))}
        </button>
      )}
      {mayReplace && (
        <button type="button" onClick={() => bench.act({ type: 'set', nodeId, input, value: suggestion })}>
          {texts.problems.suggest(valueText(suggestion))}
        </button>
      )}
    </div>
  );
};
