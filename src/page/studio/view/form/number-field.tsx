import { useState, type ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { keyOf } from '../../state/shown-inputs.js';
import { RangeInput } from './range-input.js';
import { SeedSelect } from './seed-select.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';
import { valueText } from '../../state/value-text.js';

/** A number with its bounds, how a seed changes from run to run, and the range that runs take. */
export const NumberField = (props: ControlProps): ReactElement => {
  const { bench } = useStudio();
  const { field, id } = props;
  const { nodeId, input, randomized } = field;
  const range = useValue(bench.state)?.ranges[keyOf(field)] ?? '';
  const [isRange, setRange] = useState(range !== '');
  const toggleRange = (): void => {
    if (isRange) bench.act({ type: 'range', nodeId, input, text: '' });
    setRange(!isRange);
  };
  return (
    <>
      <div className="number">
        {isRange ? <RangeInput field={field} id={id} /> : <NumberInput {...props} />}
        {randomized === true && !isRange && <SeedSelect field={field} />}
        <button
          type="button"
          className="quiet"
          aria-pressed={isRange}
          aria-label={texts.form.rangeOf(field.shownLabel)}
          onClick={toggleRange}
        >
          {texts.form.range}
        </button>
      </div>
      {!isRange && isOutOfBounds(field) && (
        <p id={`${id}-bounds`} className="error">
          {texts.form.bounds(field.min, field.max)}
        </p>
      )}
    </>
  );
};

type Bounded = Pick<ControlProps['field'], 'value' | 'min' | 'max'>;

const isOutOfBounds = ({ value, min = -Infinity, max = Infinity }: Bounded): boolean =>
  value !== undefined && (Number(value) < min || Number(value) > max);

/** The widest span that fits a slider. */
const widest = 200;

const NumberInput = ({ field, id, set }: ControlProps): ReactElement => {
  const { value, min, max, control, randomized, shownLabel } = field;
  const step = field.step ?? (control === 'integer' ? 1 : 'any');
  const isSlider = min !== undefined && max !== undefined && max - min <= widest && randomized !== true;
  return (
    <>
      {isSlider && (
        <input
          type="range"
          aria-label={texts.form.slider(shownLabel)}
          {...{ min, max, step }}
          value={Number(value ?? min)}
          onChange={({ target }) => set(Number(target.value))}
        />
      )}
      <input
        id={id}
        type="number"
        {...{ min, max, step }}
        value={valueText(value)}
        aria-invalid={isOutOfBounds(field)}
        aria-describedby={isOutOfBounds(field) ? `${id}-bounds` : undefined}
        onChange={({ target }) => set(target.value === '' ? undefined : numberOf(target.value))}
      />
    </>
  );
};

/** Seeds of 64 bits are larger than a page's numbers hold. */
const numberOf = (text: string): number | bigint => {
  const value = Number(text);
  return /^-?\d+$/u.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
};
