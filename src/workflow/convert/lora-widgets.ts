import { isJsonObject } from '../../core/protocol/json/json.js';
import { objectOf } from '../values.js';
import type { SavedWidgets } from './saved-widgets.js';
import type { UiNode } from './ui-graph.js';

/**
 * The rows of a "Power Lora Loader" (rgthree), which its own code adds: `lora_1`, `lora_2` and so on, each an object with `lora`. Its header,
 * divider and button are left out, as is the second strength where the node shows one. A file may have them as a list or by name. Undefined for nodes of other classes.
 */
export const loraWidgets = ({ type, values: list, raw }: UiNode): SavedWidgets | undefined => {
  if (type !== 'Power Lora Loader (rgthree)') return undefined;
  const { widgets_values: byName } = raw;
  const values = isJsonObject(byName) ? Object.values(byName) : list;
  const hasTwo = objectOf(raw['properties'])['Show Strengths'] === 'Separate Model & Clip';
  const rows = values.filter((value) => isJsonObject(value) && Object.hasOwn(value, 'lora')).map(objectOf);
  const others = values.filter((value) =>
    isJsonObject(value)
      ? !rows.includes(value) &&
        Object.keys(value).length > 0 &&
        value['type'] !== 'PowerLoraLoaderHeaderWidget'
      : value !== '' && value !== null,
  );
  const widgets = rows.map(({ strengthTwo, ...row }, at) => ({
    name: `lora_${at + 1}`,
    value: hasTwo ? { ...row, strengthTwo: strengthTwo ?? 1 } : row,
  }));
  return { widgets, others };
};
