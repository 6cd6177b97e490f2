import type { ReactElement } from 'react';
import { ChoiceField } from './choice-field.js';
import { ChoicesField } from './choices-field.js';
import { ColourField } from './colour-field.js';
import type { ControlProps } from './control-props.js';
import { FileField } from './file-field.js';
import { NumberField } from './number-field.js';
import { keyOf, type ShownField } from '../../state/shown-inputs.js';
import { TextField } from './text-field.js';
import { ProblemLine } from './problem-line.js';
import { useStudio, useValue } from '../use-studio.js';

/** A field of the form with its label. */
export const Field = ({ field }: { readonly field: ShownField }): ReactElement => {
  const { bench, problems } = useStudio();
  const own = useValue(problems).filter((one) => one.nodeId === field.nodeId && one.input === field.input);
  const { nodeId, input, tooltip, shownLabel, title, control } = field;
  const id = `field ${keyOf(field)}`.replaceAll(/[^\w-]/gu, '-');
  const set = (value: unknown): void => bench.act({ type: 'set', nodeId, input, value });
  if (control === 'switch') {
    return (
      <div className="field is-switch">
        <input
          id={id}
          type="checkbox"
          checked={field.value === true}
          onChange={({ target }) => set(target.checked)}
        />
        <label htmlFor={id} title={tooltip}>
          {shownLabel}
        </label>
      </div>
    );
  }
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id} id={`${id}-label`} title={tooltip}>
          {shownLabel}
        </label>
        {title.toLowerCase() !== shownLabel.toLowerCase() && <span className="field-node">{title}</span>}
      </div>
      <Control field={field} id={id} set={set} />
      {own.map((problem, at) => (
        <ProblemLine key={at} problem={problem} />
      ))}
    </div>
  );
};

const Control = (props: ControlProps): ReactElement => {
  if (props.field.color === true) return <ColourField {...props} />;
  switch (props.field.control) {
    case 'integer':
    case 'number':
      return <NumberField {...props} />;
    case 'choice':
      return <ChoiceField {...props} />;
    case 'choices':
      return <ChoicesField {...props} />;
    case 'file':
      return <FileField {...props} />;
    default:
      return <TextField {...props} />;
  }
};
