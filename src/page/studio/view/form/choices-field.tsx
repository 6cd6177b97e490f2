import type { ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { valueText } from '../../state/value-text.js';

/** Several of a list, in its order. */
export const ChoicesField = ({ field, id, set }: ControlProps): ReactElement => {
  const { choices = [], value } = field;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const unlisted = chosen.filter((one) => !choices.includes(one));
  const all = [...choices, ...unlisted];
  const toggle = (choice: unknown): void => {
    const isChosen = chosen.includes(choice);
    const next = all.filter((one) => (one === choice ? !isChosen : chosen.includes(one)));
    // A bare list would be a link to another node.
    set({ __value__: next });
  };
  return (
    <div className="choices" role="group" id={id} aria-labelledby={`${id}-label`}>
      {all.map((choice) => (
        <label key={valueText(choice)} className={unlisted.includes(choice) ? 'error' : undefined}>
          <input type="checkbox" checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
          {valueText(choice)}
        </label>
      ))}
    </div>
  );
};
