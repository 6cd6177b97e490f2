import { dynamicCombo, inputsBroughtBy, keysOf } from '../dynamic-combo.js';
import { type ClassPlan, type Widget, widgetOf } from './widget-plan.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { type Json, listOf, ownOf } from '../values.js';
import type { UiNode } from './ui-graph.js';

/** Takes a widget of a node and its value in the file; undefined where the file has none. */
export type VisitWidget = (widget: Widget, value: unknown, control: unknown) => void;

/**
 * Walks the widgets of a node in the order of its `widgets_values`, those of a dynamic combo's chosen option included, and
 * returns the entries that no widget takes.
 *
 * A list is read by position, as the editor reads it: a missing entry gives undefined, one too many is ignored. An object is
 * read by name.
 */
export const readWidgets = (plan: ClassPlan, node: UiNode, visit: VisitWidget): readonly unknown[] => {
  const values = valuesOf(plan, node);
  if (isJsonObject(values)) return readByName(plan, values, visit);
  const list = withoutForced(plan, listOf(values));
  let at = 0;
  walk(plan, (widget) => {
    const value = list[at];
    visit(widget, value, widget.hasControl ? list[at + 1] : undefined);
    at += 1 + widget.entriesAfter;
    return value;
  });
  return list.slice(at + plan.entriesAtEnd);
};

/** The positions of a list mean nothing where the class has its values by name. */
const valuesOf = ({ valueNames }: ClassPlan, { raw }: UiNode): unknown => {
  const { widgets_values: values, widgets_values_named: named } = raw;
  if (valueNames === undefined) return values;
  if (isJsonObject(named)) return named;
  const list = listOf(values);
  return valueNames.length === 0
    ? values
    : Object.fromEntries(valueNames.slice(0, list.length).map((name, index) => [String(name), list[index]]));
};

const readByName = (plan: ClassPlan, values: Json, visit: VisitWidget): readonly unknown[] => {
  walk(plan, (widget) => {
    const value = ownOf(values, widget.name);
    visit(widget, value, undefined);
    return value;
  });
  return [];
};

/** Visits each widget; after a dynamic combo those that its value brings. They may nest, so they wait on a stack. */
const walk = (plan: ClassPlan, valueOf: (widget: Widget) => unknown): void => {
  if (!plan.isDynamic) {
    for (const widget of plan.widgets) valueOf(widget);
    return;
  }
  const waiting = plan.widgets.toReversed();
  for (let widget = waiting.pop(); widget !== undefined; widget = waiting.pop()) {
    const { type, input } = widget;
    const value = valueOf(widget);
    if (type !== dynamicCombo) continue;
    const brought = inputsBroughtBy(input, value === undefined ? keysOf(input)[0] : value) ?? [];
    waiting.push(...brought.flatMap((one) => widgetOf(one) ?? []).toReversed());
  }
};

/**
 * Files from before 1.16 have an entry for each input with `forceInput`. The number of entries tells them, as it tells the
 * editor.
 */
const withoutForced = ({ forcedEntries }: ClassPlan, values: readonly unknown[]): readonly unknown[] =>
  forcedEntries?.length === values.length
    ? values.filter((_, index) => forcedEntries[index] !== true)
    : values;
