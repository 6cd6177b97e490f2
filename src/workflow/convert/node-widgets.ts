import type { Override, Scope } from './context.js';
import { type GuessedWidgets, guessWidgets, isControl, isLeftover } from './guess-widgets.js';
import { readWidgets } from './read-widgets.js';
import { sentValue } from './widget-value.js';
import type { UiNode } from './ui-graph.js';
import type { Widget } from './widget-plan.js';

/** The value of one widget of a node, before its text is worked on. */
export interface WidgetValue {
  readonly name: string;
  readonly value: unknown;
  /** Undefined where the definitions lack the class. */
  readonly widget?: Widget;
  readonly override?: Override;
  /** Whether something that is no control word stands where the editor keeps one. */
  readonly lacksControl?: boolean;
}

/** What a node's widgets leave to say. */
export interface ReadWidgets {
  /** Set where the definitions lack the class. */
  readonly guessed?: GuessedWidgets;
  /** Values in the file that belong to no widget of the definition. */
  readonly unused: readonly unknown[];
}

/** The widgets of a node and their values: the file's, what something else writes into them, or defaults. */
export const widgetValuesOf = (
  scope: Scope,
  node: UiNode,
  take: (value: WidgetValue) => void,
): ReadWidgets => {
  const overrides = scope.overrides.get(node.id);
  const overrideOf = (name: string) => overrides?.findLast(({ widget }) => widget === name);
  const { plan } = node;
  if (plan === undefined) {
    const guessed = guessWidgets(node);
    for (const [name, value] of guessed.values) {
      const override = overrideOf(name);
      take({ name, value: override === undefined ? value : override.value, ...(override && { override }) });
    }
    return { guessed, unused: [] };
  }
  const unused = readWidgets(plan, node, (widget, given, control) => {
    const { name } = widget;
    const override = overrides === undefined ? undefined : overrideOf(name);
    const value = sentValue(widget, override === undefined ? mended(name, given) : override.value);
    const lacksControl = control !== undefined && control !== null && !isControl(control);
    if (value !== undefined) take({ name, value, widget, ...(override && { override }), lacksControl });
  });
  return { unused: unused.filter((value) => !isLeftover(value)) };
};

/** Files of early 2023 name samplers `sample_euler`. */
const mended = (name: string, value: unknown): unknown =>
  name === 'sampler_name' && typeof value === 'string' && value.startsWith('sample_')
    ? value.slice('sample_'.length)
    : value;
