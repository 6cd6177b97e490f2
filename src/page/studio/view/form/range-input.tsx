import type { ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { keyOf } from '../../state/shown-inputs.js';
import { maxRuns, readRange } from '../../state/ranges.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

/** The values that runs take, as a person writes them, and what the page reads of it. */
export const RangeInput = ({ field, id }: Pick<ControlProps, 'field' | 'id'>): ReactElement => {
  const { bench } = useStudio();
  const { nodeId, input } = field;
  const text = useValue(bench.state)?.ranges[keyOf(field)] ?? '';
  const read = readRange(text, field);
  const isWrong = read._tag === 'Wrong' && read.reason !== 'empty';
  return (
    <div className="range">
      <input
        id={id}
        type="text"
        value={text}
        placeholder={texts.form.rangeExample}
        aria-invalid={isWrong}
        aria-describedby={`${id}-range`}
        onChange={({ target }) => bench.act({ type: 'range', nodeId, input, text: target.value })}
      />
      <p id={`${id}-range`} className={isWrong ? 'error' : 'hint'}>
        {read._tag === 'Values'
          ? texts.form.rangeValues(read.values)
          : texts.form.rangeWrong(read.reason, maxRuns)}
      </p>
    </div>
  );
};
