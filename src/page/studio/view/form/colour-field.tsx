import type { ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { colourText, colourValue } from '../../state/colours.js';

/** A colour, as a text or as a number: the service says which. */
export const ColourField = ({ field, id, set }: ControlProps): ReactElement => {
  const shown = colourText(field.value);
  return (
    <div className="colour">
      <input
        id={id}
        type="color"
        value={shown}
        onChange={({ target }) => set(colourValue(target.value, field.control))}
      />
      <output htmlFor={id}>{shown}</output>
    </div>
  );
};
