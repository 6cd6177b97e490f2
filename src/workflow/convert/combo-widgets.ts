import { comboIndex, customCombo, isComboOption } from '../combo-index.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import type { SavedWidgets } from './saved-widgets.js';
import type { UiNode } from './ui-graph.js';

/**
 * The values of a "Custom Combo", whose widgets the editor adds: the choice, its index, then `option1`, `option2` and so on. Files of its
 * first release have no index. Undefined for nodes of other classes.
 */
export const comboWidgets = ({ type, plan, values: list, raw }: UiNode): SavedWidgets | undefined => {
  if (type !== customCombo) return undefined;
  const { widgets_values: byName } = raw;
  const [choice = '', ...rest] = isJsonObject(byName) ? valuesOf(byName) : list;
  const options = rest.filter((value, at) => at > 0 || typeof value !== 'number');
  return {
    widgets: [
      { name: 'choice', value: choice, widget: plan?.widgetOf('choice') },
      { name: 'index', value: options.indexOf(choice) },
      ...(options.length === 0 ? [''] : options).map((value, at) => ({ name: `option${at + 1}`, value })),
    ],
    others: [],
  };
};

/** Works out anew where the choice of a "Custom Combo" stands among its options, -1 if it is not among them, as the editor does. */
export const setComboIndex = ({ type }: Pick<UiNode, 'type'>, inputs: Map<string, unknown>): void => {
  // A choice that another node makes is known only once that has run.
  if (type !== customCombo || Array.isArray(inputs.get('choice'))) return;
  inputs.set('index', comboIndex(inputs, inputs.get('choice')));
};

const valuesOf = ({ choice, ...others }: Readonly<Record<string, unknown>>): readonly unknown[] => [
  choice,
  ...Object.entries(others).flatMap(([name, value]) => (isComboOption(name) ? [value] : [])),
];
