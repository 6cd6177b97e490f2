import { comboWidgets } from './combo-widgets.js';
import type { Override, Scope } from './context.js';
import { guessWidgets } from './guess-widgets.js';
import { loraWidgets } from './lora-widgets.js';
import { readWidgets } from './read-widgets.js';
import type { SavedWidget } from './saved-widgets.js';
import { sentValue } from './widget-value.js';
import type { UiNode } from './ui-graph.js';

/** The value of one widget of a node, before its text is worked on. */
export interface WidgetValue extends SavedWidget {
  readonly override: Override | undefined;
}

/** The widgets of a node and their values: the file's, what something else writes into them, or defaults. */
export const widgetValuesOf = (
  scope: Scope,
  node: UiNode,
): { readonly values: readonly WidgetValue[]; readonly others: readonly unknown[] } => {
  const { widgets, others } =
    loraWidgets(node) ??
    comboWidgets(node) ??
    (node.plan ? readWidgets(node.plan, node) : guessWidgets(node));
  const overrides = scope.overrides.get(node.id) ?? [];
  const values: WidgetValue[] = [];
  for (const { name, value: saved, widget, control } of widgets) {
    const override = overrides.findLast((one) => one.widget === name);
    const given = override ? override.value : saved;
    const value = widget ? sentValue(widget, given) : given;
    if (value !== undefined) values.push({ name, value, widget, control, override });
  }
  return { values, others };
};
