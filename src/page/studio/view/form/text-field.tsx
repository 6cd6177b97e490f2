import type { ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { valueText } from '../../state/value-text.js';

/** A text of one line or several. */
export const TextField = ({ field, id, set }: ControlProps): ReactElement => {
  const value = valueText(field.value);
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
