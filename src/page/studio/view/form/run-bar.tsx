import { useState, type ReactElement } from 'react';
import { axesOf, countRuns, planRuns } from '../../state/plan-runs.js';
import { maxRuns } from '../../state/ranges.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

/** Runs the workflow: once, several times, or over the ranges of the form. */
export const RunBar = (): ReactElement => {
  const { world, bench, form, run } = useStudio();
  const current = useValue(bench.state);
  const fields = useValue(form)?.shown;
  const [times, setTimes] = useState(1);
  const count = current === undefined || fields === undefined ? 1 : countRuns(axesOf(current, fields), times);
  const isTooMany = count > maxRuns;
  const start = (): void => {
    const [now, shown] = [bench.state.value, form.value?.shown];
    if (now === undefined || shown === undefined) return;
    run(planRuns(now, shown, { times, random: world.random, batch: world.uuid() }));
  };
  return (
    <div className="run-bar">
      <button
        type="submit"
        className="primary run"
        disabled={fields === undefined || isTooMany}
        onClick={start}
      >
        {texts.run.start(count)}
      </button>
      <label className="times">
        {texts.run.times}
        <input
          type="number"
          min={1}
          max={maxRuns}
          value={times}
          onChange={({ target }) =>
            setTimes(Math.max(1, Math.min(maxRuns, Math.floor(Number(target.value)))))
          }
        />
      </label>
      {isTooMany && (
        <p role="alert" className="error">
          {texts.run.tooMany(count, maxRuns)}
        </p>
      )}
    </div>
  );
};
