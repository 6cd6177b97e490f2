import { isJsonObject } from '../../core/protocol/json/json.js';
import { objectOf } from '../values.js';
import { neverSent } from './widget-value.js';
import type { SavedWidgets } from './saved-widgets.js';
import type { UiNode } from './ui-graph.js';

/**
 * Names the values of a node without a definition by what its file holds: `widgets_values` as an object,
 * `widgets_values_named`, or else the sockets that belong to widgets, which newer files have for each widget in order.
 *
 * A control word after a number or a choice is skipped where the file has more values than sockets.
 */
export const guessWidgets = (node: UiNode): SavedWidgets => {
  const { widgets_values: values, widgets_values_named: byName } = node.raw;
  if (isJsonObject(values)) return named(Object.entries(values).filter(([name]) => !isOfEditor(name)));
  const entries = Object.entries(objectOf(byName)).filter(([name]) => !isOfEditor(name));
  return entries.length > 0 ? named(entries) : bySockets(node);
};

const named = (entries: readonly (readonly [name: string, value: unknown])[]): SavedWidgets => ({
  widgets: entries.map(([name, value]) => ({ name, value })),
  others: [],
});

const bySockets = ({ sockets: all, values: list }: UiNode): SavedWidgets => {
  const sockets = all.filter(
    ({ name, widget, type }) => name !== undefined && widget !== undefined && !neverSent.has(type),
  );
  const values: [string, unknown][] = [];
  let at = 0;
  sockets.forEach(({ name = '', type }, index) => {
    if (at < list.length) values.push([name, list[at]]);
    at += 1;
    const isSpare = () => list.length - at > sockets.length - index - 1;
    if (isSpare() && isControl(list[at]) && controlled.test(type)) {
      at += 1;
      if (type === 'COMBO' && isSpare()) at += 1;
    }
  });
  const rest = list.slice(at);
  return rest.every(isLeftover) ? named(values) : { widgets: [], others: list };
};

/** Whether a value by its name is one that the editor shows or works with, and never sends: a preview, an upload, a control word. */
export const isOfEditor = (name: string): boolean =>
  /^(?:(?:video|audio|image)preview|upload|audioUI|choose .+ to upload|control_.+)$/iu.test(name);

const controlled = /^(?:INT|FLOAT|COMBO)$/u;

/** Whether an entry is what the editor does with a number after each run. */
export const isControl = (value: unknown): boolean => controls.has(value);

const controls: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  ...[true, false],
  ...['fixed', 'increment', 'decrement', 'randomize'],
]);

/** What control words, upload buttons and players leave at the end. */
export const isLeftover = (value: unknown): boolean => isControl(value) || leftovers.has(value);

const leftovers: ReadonlySet<unknown> = /* @__PURE__ */ new Set(['image', 'refresh', null, '']);
