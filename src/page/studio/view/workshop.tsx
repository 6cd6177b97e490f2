import type { ReactElement } from 'react';
import { Controls } from './form/controls.js';
import { LatestResults } from './latest-results.js';
import Queue from './queue.js';
import { Stage } from './stage/stage.js';
import { useStudio, useValue } from './use-studio.js';

/** The view to work in: the form on one side, the results on the other. */
const Workshop = (): ReactElement => {
  const { bench } = useStudio();
  return (
    <div className="create">
      <Controls key={useValue(bench.state)?.id} />
      <div className="results">
        <Stage />
        <Queue isAlways />
        <LatestResults />
      </div>
    </div>
  );
};

export default Workshop;
