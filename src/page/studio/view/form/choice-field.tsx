import { useState, type ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { texts } from '../../texts.js';
import { valueText } from '../../state/value-text.js';

/** The longest list without a search. */
const maxPlain = 8;

/** One of a list: models, samplers, and whatever the service offers. */
export const ChoiceField = ({ field, id, set }: ControlProps): ReactElement => {
  const [search, setSearch] = useState('');
  const { choices = [], value } = field;
  const words = search.toLowerCase().split(/\s+/u);
  const found = choices.filter((choice) =>
    words.every((word) => valueText(choice).toLowerCase().includes(word)),
  );
  const isKnown = choices.includes(value);
  return (
    <div className="choice">
      {choices.length > maxPlain && (
        <input
          type="search"
          value={search}
          placeholder={texts.form.search(choices.length)}
          aria-label={texts.form.searchIn(field.shownLabel)}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <select
        id={id}
        value={valueText(value)}
        aria-invalid={!isKnown && field.serverOnly !== true}
        onChange={({ target }) =>
          set(choices.find((choice) => valueText(choice) === target.value) ?? target.value)
        }
      >
        {!found.includes(value) && (
          <option value={valueText(value)}>{texts.form.kept(value, isKnown)}</option>
        )}
        {found.map((choice) => (
          <option key={valueText(choice)} value={valueText(choice)}>
            {valueText(choice)}
          </option>
        ))}
      </select>
    </div>
  );
};
