import type { ReactElement } from 'react';
import { ProblemLine } from './problem-line.js';
import { keyOf } from '../../state/shown-inputs.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

/** What is wrong with the workflow beside the fields that the form shows; those have their problems with them. */
export const Problems = (): ReactElement | null => {
  const { problems, form, bench } = useStudio();
  const shown = new Set(useValue(form)?.shown.map(keyOf));
  const { workflow } = useValue(bench.state) ?? {};
  const all = useValue(problems);
  const others = all.filter(({ nodeId = '', input = '' }) => !shown.has(keyOf({ nodeId, input })));
  const fixable = all.filter(({ fix }) => fix !== undefined);
  if (others.length === 0 && fixable.length < 2) return null;
  const errors = all.filter(({ severity }) => severity === 'error').length;
  return (
    <section
      className={`problems${errors > 0 ? ' has-errors' : ''}`}
      aria-label={texts.problems.title(all.length)}
    >
      <div className="section-head">
        <h3>{texts.problems.title(all.length)}</h3>
        {fixable.length > 1 && <FixAll />}
      </div>
      <ul className="problem-list">
        {others.slice(0, 50).map((problem, at) => (
          <li key={at}>
            <ProblemLine problem={problem} node={workflow?.[problem.nodeId ?? '']?._meta?.title} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const FixAll = (): ReactElement => {
  const { problems, fix } = useStudio();
  const all = useValue(problems);
  return (
    <button type="button" onClick={() => fix(all)}>
      {texts.problems.fixAll}
    </button>
  );
};
