import { dynamicCombo, inputsBroughtBy, keysOf } from '../dynamic-combo.js';
import { type ClassPlan, widgetOf } from './widget-plan.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { isLeftover, isOfEditor } from './guess-widgets.js';
import { listOf, ownOf, textOf } from '../values.js';
import type { SavedWidget, SavedWidgets } from './saved-widgets.js';
import type { UiNode } from './ui-graph.js';

/**
 * Reads the widgets of a node in the order of its `widgets_values`, those of a dynamic combo's chosen option included.
 *
 * A list is read by position, as the editor reads it: a missing entry gives undefined. An object is read by name; names that the class
 * lacks are those of widgets that its own code makes, which the editor sends as well.
 */
export const readWidgets = (plan: ClassPlan, node: UiNode): SavedWidgets => {
  const values = valuesOf(node);
  const list = withoutForced(plan, listOf(values));
  const widgets: SavedWidget[] = [];
  let at = 0;
  const waiting = plan.widgets.toReversed();
  for (let widget = waiting.pop(); widget; widget = waiting.pop()) {
    const { name, type, input } = widget;
    const value = isJsonObject(values) ? ownOf(values, name) : list[at];
    widgets.push({
      name,
      value: mended(name, value),
      widget,
      control: widget.hasControl ? list[at + 1] : undefined,
    });
    at += 1 + widget.entriesAfter;
    if (type !== dynamicCombo) continue;
    // The widgets that its value brings come next, and may bring more.
    const brought = inputsBroughtBy(input, value === undefined ? keysOf(input)[0] : value) ?? [];
    waiting.push(...brought.flatMap((one) => widgetOf(one) ?? []).toReversed());
  }
  if (isJsonObject(values)) {
    const known = new Set(widgets.map(({ name }) => name));
    for (const [name, value] of Object.entries(values))
      if (!known.has(name) && !isOfEditor(name) && node.definition?.inputOf(name) === undefined)
        widgets.push({ name, value });
  }
  const others = list.slice(at + plan.entriesAtEnd).filter((value) => !isLeftover(value));
  // A list of full length has something else in the place of the control word, as packs with buttons of their own do.
  const isFull = list.length >= at;
  return {
    widgets: widgets.map((one, index) =>
      isFull || index === plan.widgets.length - 1 ? { ...one, control: undefined } : one,
    ),
    others,
  };
};

/** The positions of a list mean nothing where the class has its values by name. */
const valuesOf = ({ definition, raw, values: list }: UiNode): unknown => {
  const valueNames = definition?.valueNames;
  const { widgets_values: values, widgets_values_named: named } = raw;
  if (!valueNames) return values;
  if (isJsonObject(named)) return named;
  return valueNames.length === 0
    ? values
    : Object.fromEntries(
        valueNames.slice(0, list.length).map((name, index) => [textOf(name) ?? '', list[index]]),
      );
};

/**
 * Files from before 1.16 have an entry for each input with `forceInput`. The number of entries tells them, as it tells the
 * editor.
 */
const withoutForced = ({ forcedEntries }: ClassPlan, values: readonly unknown[]): readonly unknown[] =>
  forcedEntries?.length === values.length
    ? values.filter((_, index) => forcedEntries[index] !== true)
    : values;

/** Files of early 2023 name samplers `sample_euler`. */
const mended = (name: string, value: unknown): unknown =>
  name === 'sampler_name' && typeof value === 'string' ? value.replace(/^sample_/u, '') : value;
