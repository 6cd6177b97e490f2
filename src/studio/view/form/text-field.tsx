import type { ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { valueText } from '../../state/value-text.js';

/** A text of one line or several, or a colour. */
export const TextField = ({ field, id, set }: ControlProps): ReactElement => {
  const value = valueText(field.value);
  if (field.type === 'COLOR' || /^#[0-9a-f]{6}$/iu.test(value)) {
    return (
      <div className="colour">
        <input id={id} type="color" value={value} onChange={({ target }) => set(target.value)} />
        <output>{value}</output>
      </div>
    );
  }
  // Definitions say which texts have several lines; without them, prompts have.
  const isLong = field.multiline === true || (field.type === 'unknown' && field.input === 'text');
  return isLong ? (
    <textarea
      id={id}
      rows={4}
      value={value}
      placeholder={field.placeholder}
      onChange={({ target }) => set(target.value)}
    />
  ) : (
    <input
      id={id}
      type="text"
      value={value}
      placeholder={field.placeholder}
      onChange={({ target }) => set(target.value)}
    />
  );
};
