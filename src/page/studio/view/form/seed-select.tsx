import type { ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { keyOf } from '../../state/shown-inputs.js';
import { type SeedMode, seedModes } from '../../state/seeds.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

/** How a seed changes from run to run. */
export const SeedSelect = ({ field }: Pick<ControlProps, 'field'>): ReactElement => {
  const { bench } = useStudio();
  const { nodeId, input, shownLabel } = field;
  return (
    <select
      aria-label={texts.form.seedOf(shownLabel)}
      value={useValue(bench.state)?.seeds[keyOf(field)] ?? 'random'}
      onChange={({ target }) => bench.act({ type: 'seed', nodeId, input, mode: target.value as SeedMode })}
    >
      {seedModes.map((mode) => (
        <option key={mode} value={mode}>
          {texts.form.seeds[mode]}
        </option>
      ))}
    </select>
  );
};
